"""What a power cut takes of a journal is doubted until all others have told what they have."""

import os
import shutil
from pathlib import Path

import pytest

from p2p.storage import journal as journal_module
from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.journal import Journal
from p2p.storage.rollback_guard import GUARD_FILE, RollbackGuard

TABLE = bytes(32)


@pytest.fixture(autouse=True)
def starts(monkeypatch: pytest.MonkeyPatch) -> list[bytes | None]:
    """The system's starts, the newest last. Of the guard only its bytes count: its times tell a
    copy, which is how these tests cut the power.
    """
    starts: list[bytes | None] = [b"first"]
    monkeypatch.setattr(journal_module, "system_start", lambda: starts[-1])
    monkeypatch.setattr(RollbackGuard, "seen", lambda guard: guard.path.read_bytes())
    return starts


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


def opened(home: Path) -> Journal:
    journal = Journal.open(home / JOURNAL_FILE)
    journal.create_table(TABLE, b"charter", 0)
    return journal


def cut_off(home: Path, at: Path) -> Path:
    """What is on the disk by now, where the power is cut later."""
    shutil.copytree(home, at)
    at.chmod(0o700)
    return at


def is_doubtful(home: Path) -> bool:
    with Journal.open(home / JOURNAL_FILE) as journal:
        return journal.is_doubtful(TABLE)


def test_what_the_power_cut_has_taken_is_doubted(
    home: Path, tmp_path: Path, starts: list[bytes | None]
) -> None:
    with opened(home) as journal:
        journal.append(TABLE, 1, b"one", {}, synced=False)
        disk = cut_off(home, tmp_path / "disk")
        journal.append(TABLE, 2, b"two", {}, synced=False)
    unnoticed = cut_off(disk, tmp_path / "unnoticed")
    assert not is_doubtful(unnoticed), "the guard alone sees nothing: it lost the same"
    starts.append(b"second")
    assert is_doubtful(disk)
    assert is_doubtful(disk), "it does not pass by starting again"


def test_what_others_have_told_after_a_power_cut_is_doubted_once(
    home: Path, tmp_path: Path, starts: list[bytes | None]
) -> None:
    with opened(home) as journal:
        journal.append(TABLE, 1, b"one", {}, synced=False)
        disk = cut_off(home, tmp_path / "disk")
    starts.append(b"second")
    with Journal.open(disk / JOURNAL_FILE) as journal:
        assert journal.is_doubtful(TABLE)
        journal.clear_doubt(TABLE)
    assert not is_doubtful(disk)


def test_a_process_that_dies_has_lost_nothing(
    home: Path, tmp_path: Path, starts: list[bytes | None]
) -> None:
    with opened(home) as journal:
        journal.append(TABLE, 1, b"one", {}, synced=False)
        files = cut_off(home, tmp_path / "files")
    with Journal.open(files / JOURNAL_FILE) as journal:
        assert not journal.is_doubtful(TABLE)
        assert journal.entries(TABLE) == (b"one",)
        journal.append(TABLE, 2, b"two", {}, synced=False)
        again = cut_off(files, tmp_path / "again")
    starts.append(b"second")
    assert is_doubtful(again), "the process after it left something, too"


def test_what_was_closed_is_on_the_disk(home: Path, starts: list[bytes | None]) -> None:
    with opened(home) as journal:
        journal.append(TABLE, 1, b"one", {}, synced=False)
    starts.append(b"second")
    with Journal.open(home / JOURNAL_FILE) as journal:
        assert not journal.is_doubtful(TABLE)
        assert journal.entries(TABLE) == (b"one",)


def synced(journal: Journal, height: int, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether an own entry that need not be is on the disk when it is appended: the guard and the
    journal both, or neither.
    """
    said: list[str] = []
    guards: list[int] = []
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", guards.append)
        journal._database.set_trace_callback(said.append)
        journal.append(TABLE, height, b"entry", {}, synced=False)
        journal._database.set_trace_callback(None)
    is_lax = "PRAGMA synchronous = NORMAL" in said
    assert bool(guards) != is_lax
    return not is_lax


def test_nothing_is_synced_once_the_journal_is_marked(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(home) as journal:
        journal.append(TABLE, 1, b"entry", {}, synced=False)
        marks = journal._query("SELECT system_start FROM unsynced")
        assert marks == [(b"first",)]
        assert not synced(journal, 2, monkeypatch)
        journal.append(TABLE, 3, b"own", {})
        assert not synced(journal, 4, monkeypatch)


def test_where_the_system_does_not_tell_its_starts_all_is_synced(
    home: Path, monkeypatch: pytest.MonkeyPatch, starts: list[bytes | None]
) -> None:
    starts.append(None)
    with opened(home) as journal:
        assert synced(journal, 1, monkeypatch)
        assert journal._query("SELECT system_start FROM unsynced") == []


def test_a_copy_of_before_the_mark_is_doubted_after_a_power_cut(
    home: Path, tmp_path: Path, starts: list[bytes | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    guard, syncs = home / GUARD_FILE, list[bytes]()  # the guard's bytes, whenever it was synced

    def fsync(descriptor: int) -> None:
        if guard.exists() and os.path.samestat(os.fstat(descriptor), guard.stat()):
            syncs.append(guard.read_bytes())

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fsync)
        with opened(home) as journal:
            copy = cut_off(home, tmp_path / "copy")
            journal.append(TABLE, 1, b"one", {}, synced=False)
            left = syncs[-1]
    (copy / GUARD_FILE).write_bytes(left)
    starts.append(b"second")
    assert is_doubtful(copy), "the copy knows nothing of unsynced entries, and the guard lost them"


def test_a_guard_that_is_older_than_the_journal_is_doubted_and_so_is_a_copy_of_its_time(
    home: Path, tmp_path: Path
) -> None:
    """The two are synced at once: the power may be cut when one of them is done."""
    with opened(home) as journal:
        journal.append(TABLE, 1, b"one", {})
        copy = cut_off(home, tmp_path / "copy")
        journal.append(TABLE, 2, b"two", {})
        disk = cut_off(home, tmp_path / "disk")
    shutil.copy2(copy / GUARD_FILE, disk / GUARD_FILE)
    with Journal.open(disk / JOURNAL_FILE) as journal:
        assert journal.entries(TABLE) == (b"one", b"two")
        assert journal.is_doubtful(TABLE)
    shutil.copy2(disk / GUARD_FILE, copy / GUARD_FILE)
    assert is_doubtful(copy), "the second entry may have been sent since"


def test_a_mark_is_doubted_where_nobody_tells_what_it_means(
    home: Path, tmp_path: Path, starts: list[bytes | None]
) -> None:
    with opened(home) as journal:
        journal.append(TABLE, 1, b"one", {}, synced=False)
        disk = cut_off(home, tmp_path / "disk")
    starts.append(None)
    assert is_doubtful(disk)
