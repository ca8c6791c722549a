"""Entries of others that the journal takes for later.

They are written before all else that is, or by themselves, and are gone with a process that dies
before.
"""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.journal import Journal
from p2p.storage.journal_file import JournalConflict, JournalError, JournalFull
from p2p.storage.reserve import RESERVE_FILE

TABLE = bytes(32)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def journal(home: Path) -> Iterator[Journal]:
    with Journal.open(home / JOURNAL_FILE) as journal:
        journal.create_table(TABLE, b"charter", 0)
        journal.append(TABLE, 1, b"own", {"lock 1": b"secret", "lock 2": b"secret"})
        yield journal


def after_a_death(home: Path, at: Path) -> Journal:
    """Return the journal that the next start of this program would find if it died now."""
    shutil.copytree(home, at)
    at.chmod(0o700)
    return Journal.open(at / JOURNAL_FILE)


WRITES: tuple[Callable[[Journal], object], ...] = (
    lambda journal: journal.append(TABLE, 3, b"own again", {}),
    lambda journal: journal.append(TABLE, 3, b"of another"),
    lambda journal: journal.keep_statement(TABLE, 1, b"statement"),
    lambda journal: journal.keep_evidence(TABLE, "They lied.", b"bytes"),
    lambda journal: journal.forget_secrets(TABLE, "lock 1"),
    lambda journal: journal.clear_doubt(TABLE),
    lambda journal: journal.entries(TABLE),
    lambda journal: journal.flush(),
)


@pytest.mark.parametrize("write", WRITES)
def test_what_is_deferred_is_there_before_whatever_follows(
    journal: Journal, home: Path, tmp_path: Path, write: Callable[[Journal], object]
) -> None:
    journal.defer(TABLE, 2, b"deferred")
    with after_a_death(home, tmp_path / "before") as copy:
        assert copy.entries(TABLE) == (b"own",)
    write(journal)
    with after_a_death(home, tmp_path / "after") as copy:
        assert copy.entries(TABLE)[:2] == (b"own", b"deferred")


def test_what_is_deferred_comes_with_what_this_node_signs_in_one_transaction(
    journal: Journal,
) -> None:
    """So no signature is ever kept without what it was signed upon."""
    said: list[str] = []
    journal.defer(TABLE, 2, b"two")
    journal.defer(TABLE, 3, b"three")
    journal._database.set_trace_callback(said.append)
    journal.append(TABLE, 4, b"own", {})
    journal._database.set_trace_callback(None)
    steps = [line.split()[0] for line in said if line.startswith(("BEGIN", "INSERT", "COMMIT"))]
    assert steps == ["BEGIN", *["INSERT"] * 4, "COMMIT"]  # the last one is the guard


def test_to_defer_writes_nothing(journal: Journal) -> None:
    said: list[str] = []
    journal._database.set_trace_callback(said.append)
    journal.defer(TABLE, 2, b"two")
    assert said == []
    journal.flush()
    journal.flush()
    journal._database.set_trace_callback(None)
    assert said.count("COMMIT") == 1
    assert "PRAGMA synchronous = NORMAL" in said


def test_closing_writes_what_is_deferred(journal: Journal, home: Path) -> None:
    journal.defer(TABLE, 2, b"two")
    journal.close()
    with Journal.open(home / JOURNAL_FILE) as again:
        assert again.entries(TABLE) == (b"own", b"two")


def test_a_death_takes_what_is_deferred_and_nothing_is_in_doubt(
    journal: Journal, home: Path, tmp_path: Path
) -> None:
    """This node has not heard of it then: whoever has written it writes it again."""
    journal.defer(TABLE, 2, b"two")
    with after_a_death(home, tmp_path / "copy") as copy:
        copy.append(TABLE, 2, b"two")
        assert copy.entries(TABLE) == (b"own", b"two")


def test_on_a_full_disk_what_is_deferred_waits_for_room(journal: Journal, home: Path) -> None:
    (pages,) = journal._query("PRAGMA page_count")[0]
    journal._query(f"PRAGMA max_page_count = {pages + 2}")
    journal.fill_reserve()
    journal.defer(TABLE, 2, bytes(100_000))
    with pytest.raises(JournalFull, match="make room"):
        journal.flush()
    assert not (home / RESERVE_FILE).exists()
    with pytest.raises(JournalFull):
        journal.keep_statement(TABLE, 1, b"statement")
    assert journal.statements(TABLE) == ()
    journal._query(f"PRAGMA max_page_count = {pages + 200}")
    journal.defer(TABLE, 3, b"three")
    assert journal.entries(TABLE) == (b"own", bytes(100_000), b"three")


@pytest.mark.parametrize(
    ("height", "error"), [(1, JournalConflict), (3, JournalError), (0, JournalError)]
)
def test_what_cannot_stand_there_is_told_when_it_is_written(
    journal: Journal, height: int, error: type[Exception]
) -> None:
    journal.defer(TABLE, height, b"another")
    with pytest.raises(error):
        journal.flush()
    assert journal._query("SELECT entry FROM entries") == [(b"own",)]
