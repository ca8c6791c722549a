"""The journal of simulated nodes, which keeps and refuses the same as the real journal."""

from pathlib import Path
from typing import Any

import pytest

from p2p.storage.journal import Journal
from p2p.storage.journal_file import JournalError
from tests.simulation.memory_journal import Killed, MemoryJournal

TABLE = bytes(32)

STEPS: tuple[tuple[Any, ...], ...] = (
    ("create_table", b"charter", 0),
    ("append", 1, b"one", {"lock/1": b"a", "lock/2": b"b"}),
    # The same again changes nothing.
    ("append", 1, b"one", {"lock/1": b"a"}),
    ("create_table", b"charter", 0),
    # All of these contradict what is kept, or come too early.
    ("append", 2, b"two", {"lock/3": b"c", "lock/1": b"other"}),
    ("append", 1, b"other", {}),
    ("append", 3, b"three", {"lock/3": b"c"}),
    ("append", 0, b"zero", None),
    ("create_table", b"other", 0),
    ("create_table", b"charter", 1),
    # Deferred entries are written before the next one.
    ("defer", 2, b"two"),
    ("append", 3, b"three", {"nonce/1": b"n", "lock/1": b"a"}),
    ("replace_entries", 3, (b"another three", b"four")),
    ("forget_secrets", "lock/"),
    ("append", 5, b"five", {"lock/1": b"another one now"}),
    ("keep_evidence", "b", b"1"),
    ("keep_evidence", "a", b"1"),
    ("keep_evidence", "b", b"1"),
    ("keep_statement", 1, b"statement"),
    ("keep_statement", 1, b"another statement"),
    # Without its entries the table is doubtful, but its secrets are kept.
    ("forget_entries", 1),
    ("append", 1, b"other", {"lock/1": b"other"}),
    ("clear_doubt",),
    ("forget_secrets",),
)
"""Calls of methods, each with its arguments after the table's id."""


def outcome(journal: Journal | MemoryJournal, method: str, *arguments: object) -> object:
    """Call a method about the table; return the kind of its error, or what is kept then."""
    try:
        getattr(journal, method)(TABLE, *arguments)
    except JournalError as error:
        return type(error)
    (table,) = journal.tables()
    about = (journal.entries, journal.secrets, journal.evidence, journal.statements)
    return table.charter, table.me, *(get(TABLE) for get in about), journal.is_doubtful(TABLE)


def test_the_simulated_journal_keeps_and_refuses_the_same_as_the_real_one(tmp_path: Path) -> None:
    simulated = MemoryJournal()
    with Journal.open(tmp_path / "home" / "journal") as real:
        for number, step in enumerate(STEPS):
            assert outcome(simulated, *step) == outcome(real, *step), (number, step)
        for journal in (simulated, real):
            journal.defer(TABLE, 9, b"too early")
            with pytest.raises(JournalError):
                journal.flush()
            journal._deferred.clear()


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
def test_a_journal_is_doubtful_if_its_guard_changed_without_it(moved: bool) -> None:
    journal = MemoryJournal(dies_after=1, on_guard=moved)
    journal.create_table(b"table", b"charter", 0)
    with pytest.raises(Killed):
        journal.append(b"table", 1, b"own", {})
    assert journal.after_power_failure().doubtful is moved
    assert journal.entries(b"table") == ()
