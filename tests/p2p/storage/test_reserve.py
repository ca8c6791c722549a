"""The journal on a full disk: it finishes an entry, and goes on when there is a little room."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.journal import Journal
from p2p.storage.journal_file import JournalFull
from p2p.storage.reserve import RESERVE_BYTES, RESERVE_FILE, Reserve
from p2p.storage.salvage import open_or_mend
from tests.lan.disks import fill
from tests.p2p.storage.journal_files import spoil_pages

TABLE = bytes(32)
ENTRY = bytes(1000)
FREED = 200_000


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Return a home on a file system of 4 MB."""
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    mount = ["mount", "-t", "tmpfs", "-o", "size=4m,mode=700", "tmpfs", str(home)]
    if os.name != "posix" or os.geteuid() or subprocess.run(mount, check=False).returncode:
        pytest.skip("nothing can be mounted here")
    try:
        yield home
    finally:
        subprocess.run(["umount", "-l", str(home)], check=False)


def append(journal: Journal) -> None:
    height = len(journal.entries(TABLE)) + 1
    journal.append(TABLE, height, ENTRY, {f"lock {height}": b"secret"})


def append_many(journal: Journal) -> None:
    for _ in range(1000):
        append(journal)


def test_on_a_full_disk_the_reserve_is_enough_to_finish_an_entry(small_disk: Path) -> None:
    opened, _ = open_or_mend(small_disk / JOURNAL_FILE)
    with opened as journal:
        journal.create_table(TABLE, b"charter", 0)
        append(journal)
        filling = fill(small_disk)
        while (small_disk / RESERVE_FILE).exists():  # the log still had some room
            append(journal)
        fill(small_disk)
        with pytest.raises(JournalFull, match="make room"):
            append_many(journal)
        written = journal.entries(TABLE)
        assert len(written) > 1
    os.truncate(filling, filling.stat().st_size - FREED)
    opened, mended = open_or_mend(small_disk / JOURNAL_FILE)
    with opened as journal:
        assert mended is None
        assert journal.entries(TABLE) == written
        for _ in range(10):
            append(journal)
        assert not (small_disk / RESERVE_FILE).exists()  # too little room for a new reserve


def test_a_damaged_journal_on_a_full_disk_is_mended_when_there_is_room(small_disk: Path) -> None:
    """Until there is room, a start changes nothing, and says what to do."""
    path = small_disk / JOURNAL_FILE
    with Journal.open(path) as journal:
        journal.create_table(TABLE, b"charter", 0)
        for _ in range(40):
            append(journal)
    spoil_pages(path, "entries")
    damaged = path.read_bytes()
    filling = fill(small_disk)
    for freed in (0, len(damaged) + 8192):  # nothing, or enough for a copy and no more
        os.truncate(filling, filling.stat().st_size - freed)
        with pytest.raises(JournalFull, match="make room"):
            open_or_mend(path)
        assert path.read_bytes() == damaged
        assert not [*small_disk.glob("*.damaged*"), *small_disk.glob("*.new")]
    filling.unlink()
    opened, mended = open_or_mend(path)
    with opened as journal:
        assert mended is not None
        assert journal.tables()


def test_the_log_of_a_dead_node_is_cut_at_the_next_start(small_disk: Path) -> None:
    path = small_disk / JOURNAL_FILE
    with Journal.open(path) as journal:
        journal.create_table(TABLE, b"charter", 0)
        for _ in range(20):
            append(journal)
        log = path.with_name(f"{JOURNAL_FILE}-wal")
        kept = (path.read_bytes(), log.read_bytes())
    path.write_bytes(kept[0])
    log.touch(0o600)
    log.write_bytes(kept[1])
    with Journal.open(path) as journal:
        assert log.stat().st_size == 0
        assert len(journal.entries(TABLE)) == 20


def test_the_reserve_is_freed_once_and_later_failures_are_reported(tmp_path: Path) -> None:
    reserve = Reserve(tmp_path / RESERVE_FILE)
    reserve.fill()
    assert reserve.path.stat().st_size == RESERVE_BYTES
    tries = []

    def write() -> None:
        tries.append(reserve.path.exists())
        if len(tries) != 2:
            raise JournalFull("There is no room.")

    reserve.finish(write)
    assert tries == [True, False]
    with pytest.raises(JournalFull):
        reserve.finish(write)
    assert tries == [True, False, False]


@pytest.mark.parametrize(
    ("there", "is_made"), [(0, True), (RESERVE_BYTES // 2, True), (RESERVE_BYTES, False)]
)
def test_a_reserve_too_small_is_made_anew(tmp_path: Path, there: int, is_made: bool) -> None:
    reserve = Reserve(tmp_path / RESERVE_FILE)
    reserve.path.write_bytes(bytes(there))
    reserve.fill()
    assert reserve.path.stat().st_size == RESERVE_BYTES
    assert any(reserve.path.read_bytes()) == is_made


@pytest.mark.parametrize("lacks", [0, 1])
def test_a_reserve_is_made_only_if_eight_times_its_size_is_free(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lacks: int
) -> None:
    free = SimpleNamespace(free=8 * RESERVE_BYTES - lacks)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: free)
    reserve = Reserve(tmp_path / RESERVE_FILE)
    reserve.fill()
    assert reserve.path.exists() == (not lacks)
