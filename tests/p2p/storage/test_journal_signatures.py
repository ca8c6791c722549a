"""Changes of the guard, the journal that is on the disk with it, and the journal's end."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.folders import FolderError, IdentityInUse
from p2p.storage.journal import Journal, KnownPeer
from p2p.storage.rollback_guard import GUARD_FILE, RollbackGuard

TABLE, OTHER = bytes(32), bytes(31) + b"1"

Write = Callable[[Journal], object]

SIGNED: tuple[Write, ...] = (
    lambda journal: journal.create_table(OTHER, b"charter", 0),
    lambda journal: journal.append(TABLE, 2, b"own", {}),
    lambda journal: journal.append(TABLE, 2, b"own", {"lock": b"secret"}),
    lambda journal: journal.keep_statement(TABLE, 1, b"statement"),
    lambda journal: journal.keep_pending_charter(b"pending"),
)
"""The things that this node has signed, or is about to sign."""

OF_OTHERS: tuple[Write, ...] = (
    lambda journal: journal.create_table(TABLE, b"charter", 0),  # there is one already
    lambda journal: journal.append(TABLE, 2, b"of somebody else, or an unlocking"),
    lambda journal: journal.forget_entries(TABLE, 1),
    lambda journal: journal.forget_secrets(TABLE),
    lambda journal: journal.keep_evidence(TABLE, "They lied.", b"bytes"),
    lambda journal: journal.remember_peer(KnownPeer(bytes(32), "Ana", "2024")),
    lambda journal: journal.keep_addresses(TABLE, b"addresses"),
    lambda journal: journal.clear_doubt(TABLE),
    lambda journal: journal.drop_pending_charter(),
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "home" / JOURNAL_FILE


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    with Journal.open(path) as journal:
        journal.create_table(TABLE, b"charter", 0)
        journal.append(TABLE, 1, b"own", {})
        yield journal


@pytest.mark.parametrize("write", SIGNED)
def test_the_guard_changes_with_what_this_node_has_signed(journal: Journal, write: Write) -> None:
    before = journal._guard.seen()
    write(journal)
    assert journal._guard.seen()[:16] != before[:16]
    assert journal._value("SELECT seen FROM rollback_guard") == journal._guard.seen()


@pytest.mark.parametrize("write", OF_OTHERS)
def test_the_guard_stays_where_nothing_is_signed(journal: Journal, write: Write) -> None:
    before = journal._guard.seen()
    write(journal)
    assert journal._guard.seen() == before


def test_a_journal_is_closed_without_a_change(journal: Journal, path: Path) -> None:
    before = journal._guard.seen()
    journal.close()
    assert RollbackGuard(path.with_name(GUARD_FILE)).seen() == before


def test_a_record_with_new_evidence_is_in_no_file_any_more(journal: Journal) -> None:
    journal.keep_evidence(TABLE, "They lied.", b"bytes")
    journal.note_in_a_file(TABLE)
    journal.keep_evidence(TABLE, "They lied.", b"bytes")  # nothing new
    assert journal.is_in_a_file(TABLE)
    journal.keep_evidence(TABLE, "They lied again.", b"more")
    assert not journal.is_in_a_file(TABLE)


def test_entries_that_do_not_hold_are_forgotten_and_that_table_is_doubted(
    journal: Journal,
) -> None:
    journal.create_table(OTHER, b"charter", 0)
    journal.append(TABLE, 2, b"two")
    journal.append(OTHER, 1, b"one", {})
    journal.forget_entries(TABLE, 2)
    assert journal.entries(TABLE) == (b"own",)
    assert journal.entries(OTHER) == (b"one",)
    assert [journal.is_doubtful(table) for table in (TABLE, OTHER)] == [True, False]


def test_entries_behind_a_fork_are_replaced_and_nothing_is_doubted(journal: Journal) -> None:
    journal.create_table(OTHER, b"charter", 0)
    for height, entry in enumerate((b"two", b"three"), 2):
        journal.append(TABLE, height, entry)
    journal.append(OTHER, 1, b"one", {})
    journal.defer(TABLE, 4, b"four")
    journal.replace_entries(TABLE, 2, [b"second", b"third"])
    assert journal.entries(TABLE) == (b"own", b"second", b"third")
    assert journal.entries(OTHER) == (b"one",)
    assert not journal.is_doubtful(TABLE)


def test_a_journal_that_cannot_be_opened_lets_go_of_its_folder(
    journal: Journal, path: Path
) -> None:
    journal.close()
    guard = path.with_name(GUARD_FILE)
    kept = guard.rename(guard.with_name("kept"))
    guard.mkdir()
    with pytest.raises(FolderError, match="guard") as raised:
        Journal.open(path)
    assert not isinstance(raised.value, IdentityInUse)
    guard.rmdir()
    kept.rename(guard)
    Journal.open(path).close()


def test_a_copy_is_doubted_though_its_guard_is_lost(
    journal: Journal, path: Path, tmp_path: Path
) -> None:
    copy = shutil.copytree(path.parent, tmp_path / "copy") / JOURNAL_FILE
    (copy.parent / GUARD_FILE).unlink()
    with Journal.open(copy) as again:
        assert again.is_doubtful(TABLE)


def test_where_syncing_was_turned_off_it_stays_off(journal: Journal) -> None:
    journal._query("PRAGMA synchronous = OFF")
    said: list[str] = []
    journal._database.set_trace_callback(said.append)
    journal.append(TABLE, 2, b"of somebody else")
    journal._database.set_trace_callback(None)
    assert not [line for line in said if line.startswith("PRAGMA synchronous =")]
