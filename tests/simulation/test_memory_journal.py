"""The journal of simulated nodes, which keeps and refuses the same as the real journal."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.journal import Journal
from p2p.storage.journal_file import JournalConflict, JournalError
from p2p.storage.private_files import make_private
from tests.simulation.memory_journal import Killed, MemoryJournal

TABLE = bytes(32)


@contextmanager
def real(folder: Path) -> Iterator[Journal]:
    home = make_private(folder / "home")
    with Journal.open(home / JOURNAL_FILE) as journal:
        yield journal


@contextmanager
def simulated(_folder: Path) -> Iterator[MemoryJournal]:
    yield MemoryJournal()


@pytest.fixture(params=[real, simulated], ids=["real", "simulated"])
def journal(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Journal | MemoryJournal]:
    """Return a journal with a table, an entry and its secrets."""
    with request.param(tmp_path) as journal:
        journal.create_table(TABLE, b"charter", 0)
        journal.append(TABLE, 1, b"one", {"lock/1": b"a", "lock/2": b"b"})
        yield journal


def kept(journal: Journal | MemoryJournal) -> tuple[tuple[bytes, ...], dict[str, bytes]]:
    return journal.entries(TABLE), journal.secrets(TABLE)


def test_writing_the_same_entry_again_changes_nothing(journal: Journal | MemoryJournal) -> None:
    before = kept(journal)
    journal.append(TABLE, 1, b"one", {"lock/1": b"a"})
    journal.create_table(TABLE, b"charter", 0)
    assert kept(journal) == before
    journal.append(TABLE, 2, b"two", {"lock/1": b"a"})
    assert kept(journal) == ((b"one", b"two"), before[1])


@pytest.mark.parametrize(
    ("height", "entry", "secrets", "error"),
    [
        (2, b"two", {"lock/3": b"c", "lock/1": b"other"}, JournalConflict),
        (1, b"other", {}, JournalConflict),
        (3, b"three", {"lock/3": b"c"}, JournalError),
        (0, b"zero", None, JournalError),
    ],
)
def test_contradicting_or_out_of_order_entries_are_refused(
    journal: Journal | MemoryJournal,
    height: int,
    entry: bytes,
    secrets: dict[str, bytes] | None,
    error: type[JournalError],
) -> None:
    """No part of a refused transaction is kept."""
    before = kept(journal)
    with pytest.raises(error):
        journal.append(TABLE, height, entry, secrets)
    assert kept(journal) == before


def test_another_charter_or_player_for_a_table_is_refused(journal: Journal | MemoryJournal) -> None:
    for charter, me in ((b"other", 0), (b"charter", 1)):
        with pytest.raises(JournalConflict):
            journal.create_table(TABLE, charter, me)
    (table,) = journal.tables()
    assert (table.charter, table.me) == (b"charter", 0)


def test_deferred_entries_are_written_in_order_or_refused(
    journal: Journal | MemoryJournal,
) -> None:
    journal.defer(TABLE, 2, b"two")
    journal.append(TABLE, 3, b"three", {"lock/3": b"c"})
    assert journal.entries(TABLE) == (b"one", b"two", b"three")
    journal.defer(TABLE, 2, b"other")
    with pytest.raises(JournalConflict):
        journal.flush()


def test_secrets_are_forgotten_by_prefix(journal: Journal | MemoryJournal) -> None:
    journal.append(TABLE, 2, b"two", {"nonce/1": b"n"})
    journal.forget_secrets(TABLE, "lock/")
    assert journal.secrets(TABLE) == {"nonce/1": b"n"}
    journal.append(TABLE, 3, b"three", {"lock/1": b"another one now"})
    journal.forget_secrets(TABLE)
    assert journal.secrets(TABLE) == {}


def test_forgetting_entries_keeps_the_secrets_and_makes_the_table_doubtful(
    journal: Journal | MemoryJournal,
) -> None:
    assert not journal.is_doubtful(TABLE)
    journal.forget_entries(TABLE, 1)
    assert journal.is_doubtful(TABLE)
    assert kept(journal) == ((), {"lock/1": b"a", "lock/2": b"b"})
    with pytest.raises(JournalConflict):
        journal.append(TABLE, 1, b"other", {"lock/1": b"other"})


def test_evidence_is_kept_once_and_in_order(journal: Journal | MemoryJournal) -> None:
    for about, evidence in (("b", b"1"), ("a", b"1"), ("b", b"1")):
        journal.keep_evidence(TABLE, about, evidence)
    assert journal.evidence(TABLE) == (("b", b"1"), ("a", b"1"))


def test_a_restored_journal_is_doubtful_if_it_lacks_a_signature() -> None:
    journal = MemoryJournal()
    journal.create_table(b"table", b"charter", 0)
    journal.append(b"table", 1, b"of another")
    assert not journal.copy_of(1).doubtful
    assert journal.after_power_failure().entries(b"table") == ()  # entries of others are not synced
    journal.append(b"table", 2, b"own", {"lock/000001": b"lock"})
    assert journal.after_power_failure().entries(b"table") == (b"of another", b"own")
    assert journal.copy_of(2).doubtful
    assert journal.copy_of(2).secrets(b"table") == {}


@pytest.mark.parametrize("moved", [False, True])
def test_a_journal_whose_guard_changed_without_it_is_doubtful(moved: bool) -> None:
    journal = MemoryJournal(dies_after=1, on_guard=moved)
    journal.create_table(b"table", b"charter", 0)
    with pytest.raises(Killed):
        journal.append(b"table", 1, b"own", {})
    assert journal.after_power_failure().doubtful is moved
    assert journal.entries(b"table") == ()
