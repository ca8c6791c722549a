"""The order in which the journal writes this node's signatures and the entries of others."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from unittest.mock import Mock

import pytest

from p2p.storage.journal import Journal, KnownPeer
from p2p.storage.journal_file import JournalConflict, JournalError, JournalFull
from p2p.storage.reserve import RESERVE_FILE
from p2p.storage.rollback_guard import GUARD_FILE, RollbackGuard
from tests.p2p.storage.journal_files import OTHER, TABLE, files_now, statements_of

Write = Callable[[Journal], object]

SIGNED: tuple[Write, ...] = (
    lambda journal: journal.create_table(OTHER, b"charter", 0),
    lambda journal: journal.append(TABLE, 2, b"own", {}),
    lambda journal: journal.append(TABLE, 2, b"own", {"lock": b"secret"}),
    lambda journal: journal.keep_statement(TABLE, 1, b"statement"),
    lambda journal: journal.keep_pending_charter(b"pending"),
)
"""Writes of data that this node has signed, or is about to sign.

An entry that is appended with secrets, even with none (`{}`), is one that this node has signed.
"""

OF_OTHERS: tuple[Write, ...] = (
    lambda journal: journal.create_table(TABLE, b"charter", 2),  # kept already
    lambda journal: journal.append(TABLE, 2, b"of somebody else, or an unlocking"),
    lambda journal: journal.forget_entries(TABLE, 1),
    lambda journal: journal.forget_secrets(TABLE),
    lambda journal: journal.keep_evidence(TABLE, "They lied.", b"bytes"),
    lambda journal: journal.remember_peer(KnownPeer(bytes(32), "Ana", "2024")),
    lambda journal: journal.keep_addresses(TABLE, b"addresses"),
    lambda journal: journal.clear_doubt(TABLE),
    lambda journal: journal.drop_pending_charter(),
    Journal.close,
)
"""Writes for which this node signs nothing."""


@pytest.fixture
def journal(journal: Journal) -> Journal:
    """Return a journal in which this node has signed the first entry."""
    journal.append(TABLE, 1, b"own", {"lock 1": b"secret", "lock 2": b"secret"})
    return journal


@pytest.mark.parametrize("write", SIGNED)
def test_the_guard_changes_with_each_signature_of_this_node(journal: Journal, write: Write) -> None:
    before = journal._guard.seen()
    write(journal)
    assert journal._guard.seen()[:16] != before[:16]
    assert journal._value("SELECT seen FROM rollback_guard") == journal._guard.seen()


@pytest.mark.parametrize("write", OF_OTHERS)
def test_the_guard_does_not_change_if_nothing_is_signed(
    journal: Journal, path: Path, write: Write
) -> None:
    before = journal._guard.seen()
    write(journal)
    assert RollbackGuard(path.with_name(GUARD_FILE)).seen() == before


def test_a_record_with_new_evidence_is_written_to_its_file_again(journal: Journal) -> None:
    journal.keep_evidence(TABLE, "They lied.", b"bytes")
    journal.note_in_a_file(TABLE)
    journal.keep_evidence(TABLE, "They lied.", b"bytes")  # nothing new
    assert journal.is_in_a_file(TABLE)
    journal.keep_evidence(TABLE, "They lied again.", b"more")
    assert not journal.is_in_a_file(TABLE)


def test_forgetting_invalid_entries_makes_their_table_doubtful(journal: Journal) -> None:
    journal.create_table(OTHER, b"charter", 0)
    journal.append(TABLE, 2, b"two")
    journal.append(OTHER, 1, b"one", {})
    journal.forget_entries(TABLE, 2)
    assert journal.entries(TABLE) == (b"own",)
    assert journal.entries(OTHER) == (b"one",)
    assert [journal.is_doubtful(table) for table in (TABLE, OTHER)] == [True, False]


def test_replacing_entries_after_a_fork_creates_no_doubt(journal: Journal) -> None:
    journal.create_table(OTHER, b"charter", 0)
    for height, entry in enumerate((b"two", b"three"), 2):
        journal.append(TABLE, height, entry)
    journal.append(OTHER, 1, b"one", {})
    journal.defer(TABLE, 4, b"four")
    journal.replace_entries(TABLE, 2, [b"second", b"third"])
    assert journal.entries(TABLE) == (b"own", b"second", b"third")
    assert journal.entries(OTHER) == (b"one",)
    assert not journal.is_doubtful(TABLE)


def test_a_journal_that_does_not_open_releases_its_folder(
    journal: Journal, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal.close()
    with monkeypatch.context() as patch:
        patch.setattr(RollbackGuard, "seen", Mock(side_effect=OSError("the disk is gone")))
        with pytest.raises(OSError, match="disk is gone") as failed:
            Journal.open(path)
    Journal.open(path).close()
    del failed  # the failure would keep the journal from being collected as garbage


def test_tables_and_secrets_are_in_the_file_itself(
    journal: Journal, path: Path, tmp_path: Path
) -> None:
    """Both are kept even if SQLite's log is lost. Others have the entries that were in the log."""
    found = []
    for number in (3, 4):
        journal.create_table(bytes([number]) * 32, b"charter", 0)
        lost = files_now(path, tmp_path / f"{number}")
        lost.with_name(f"{path.name}-wal").unlink()
        with Journal.open(lost) as again:
            found.append((len(again.tables()), [*again.secrets(TABLE)]))
        journal.append(TABLE, number - 1, b"own", {f"lock {number}": b"secret"})
    assert found == [(2, ["lock 1", "lock 2"]), (3, ["lock 1", "lock 2", "lock 3"])]


# -- Entries of others that the journal writes later

WRITES: tuple[Write, ...] = (
    lambda journal: journal.append(TABLE, 3, b"own again", {}),
    lambda journal: journal.append(TABLE, 3, b"of another"),
    lambda journal: journal.keep_statement(TABLE, 1, b"statement"),
    lambda journal: journal.keep_evidence(TABLE, "They lied.", b"bytes"),
    lambda journal: journal.forget_secrets(TABLE, "lock 1"),
    lambda journal: journal.clear_doubt(TABLE),
    lambda journal: journal.entries(TABLE),
    lambda journal: journal.flush(),
    Journal.close,
)


@pytest.mark.parametrize("write", WRITES)
def test_the_next_use_of_the_journal_first_writes_deferred_entries(
    journal: Journal, path: Path, tmp_path: Path, write: Write
) -> None:
    """A deferred entry is lost only if the node dies before that.

    Then the writer of the entry sends it again.
    """
    journal.defer(TABLE, 2, b"deferred")
    with Journal.open(files_now(path, tmp_path / "before")) as copy:
        assert copy.entries(TABLE) == (b"own",)
        copy.append(TABLE, 2, b"deferred")
    write(journal)
    with Journal.open(files_now(path, tmp_path / "after")) as copy:
        assert copy.entries(TABLE)[:2] == (b"own", b"deferred")


def test_deferred_entries_are_written_in_one_transaction_with_a_signature(journal: Journal) -> None:
    """A signature is never kept without the entries that it continues."""
    journal.defer(TABLE, 2, b"two")
    journal.defer(TABLE, 3, b"three")
    with statements_of(journal) as said:
        journal.append(TABLE, 4, b"own", {})
    steps = [line.split()[0] for line in said if line.startswith(("BEGIN", "INSERT", "COMMIT"))]
    assert steps == ["BEGIN", *["INSERT"] * 4, "COMMIT"]  # the last INSERT is the guard's


def test_deferring_writes_nothing(journal: Journal) -> None:
    with statements_of(journal) as said:
        journal.defer(TABLE, 2, b"two")
        assert said == []
        journal.flush()
        journal.flush()
    assert said.count("COMMIT") == 1
    assert "PRAGMA synchronous = NORMAL" in said


def test_on_a_full_disk_deferred_entries_wait_for_room(journal: Journal, path: Path) -> None:
    (pages,) = journal._query("PRAGMA page_count")[0]
    journal._query(f"PRAGMA max_page_count = {pages + 2}")
    journal.fill_reserve()
    journal.defer(TABLE, 2, bytes(100_000))
    with pytest.raises(JournalFull, match="make room"):
        journal.flush()
    assert not path.with_name(RESERVE_FILE).exists()
    with pytest.raises(JournalFull):
        journal.keep_statement(TABLE, 1, b"statement")
    assert journal.statements(TABLE) == ()
    journal._query(f"PRAGMA max_page_count = {pages + 200}")
    journal.defer(TABLE, 3, b"three")
    assert journal.entries(TABLE) == (b"own", bytes(100_000), b"three")


@pytest.mark.parametrize(
    ("height", "error"), [(1, JournalConflict), (3, JournalError), (0, JournalError)]
)
def test_an_error_of_a_deferred_entry_is_raised_when_it_is_written(
    journal: Journal, height: int, error: type[Exception]
) -> None:
    journal.defer(TABLE, height, b"another")
    with pytest.raises(error):
        journal.flush()
    assert journal._query("SELECT entry FROM entries") == [(b"own",)]


# -- Power cuts: lost entries are written again in the same bytes, or the journal is doubted


@pytest.fixture
def power_cut(
    journal: Journal, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[Write], Path]:
    """Return a function that writes, and returns a copy of the old journal with the new guard.

    After a power cut, the guard on the disk may be newer than the journal. The power cut is
    simulated with copies of files. Therefore only the bytes of guards are compared here: their
    times would show that they are copies.
    """
    monkeypatch.setattr(RollbackGuard, "seen", lambda guard: guard.path.read_bytes())
    journal.keep_pending_charter(b"signed")  # now the journal has noted the guard's bytes alone

    def cut(write: Write) -> Path:
        disk = files_now(path, tmp_path / "disk")
        write(journal)
        shutil.copy2(path.with_name(GUARD_FILE), disk.with_name(GUARD_FILE))
        return disk

    return cut


def test_an_unlocking_lost_by_a_power_cut_creates_no_doubt(
    power_cut: Callable[[Write], Path],
) -> None:
    """The node writes the unlocking again in the same bytes."""
    disk = power_cut(lambda journal: journal.append(TABLE, 2, b"an unlocking"))
    with Journal.open(disk) as journal:
        assert not journal.is_doubtful(TABLE)
        assert journal.entries(TABLE) == (b"own",)
        journal.append(TABLE, 2, b"an unlocking")
        assert journal.entries(TABLE) == (b"own", b"an unlocking")


def test_a_move_lost_by_a_power_cut_makes_the_record_doubtful(
    journal: Journal, power_cut: Callable[[Write], Path]
) -> None:
    """All earlier entries may be there, but another move could be written in that place."""
    journal.append(TABLE, 2, b"an unlocking")
    with Journal.open(power_cut(lambda journal: journal.append(TABLE, 3, b"a move", {}))) as again:
        assert again.is_doubtful(TABLE)


@pytest.mark.parametrize("usual", ["2", "OFF"])
@pytest.mark.parametrize("own", [None, {}])
def test_only_writes_that_could_be_signed_differently_are_synced(
    journal: Journal, monkeypatch: pytest.MonkeyPatch, own: dict[str, bytes] | None, usual: str
) -> None:
    """Guard and journal are synced, or neither. If syncing is off, the journal stays unsynced."""
    guards: list[int] = []
    journal._query(f"PRAGMA synchronous = {usual}")
    with statements_of(journal) as said:
        monkeypatch.setattr(os, "fsync", guards.append)
        journal.append(TABLE, 2, b"entry", own)
        journal.append(TABLE, 3, b"entry", {})
    modes = [line for line in said if line.startswith(("PRAGMA synchronous =", "COMMIT"))]
    lax = ["PRAGMA synchronous = NORMAL", "COMMIT", "PRAGMA synchronous = 2"]
    assert modes == [*(lax if own is None and usual == "2" else ["COMMIT"]), "COMMIT"]
    assert len(guards) == 1 + (own is not None)


def test_a_guard_older_than_the_journal_or_with_a_copied_time_is_doubted(
    journal: Journal, path: Path, tmp_path: Path, power_cut: Callable[[Write], Path]
) -> None:
    """Guard and journal are synced together, and a power cut may leave either of them older."""
    copy = power_cut(lambda _journal: None)
    journal.append(TABLE, 2, b"two", {})
    disk = files_now(path, tmp_path / "newer")
    shutil.copy2(copy.with_name(GUARD_FILE), disk.with_name(GUARD_FILE))
    with Journal.open(disk) as again:
        assert again.entries(TABLE) == (b"own", b"two")
        assert again.is_doubtful(TABLE)
    shutil.copy2(disk.with_name(GUARD_FILE), copy.with_name(GUARD_FILE))
    with Journal.open(copy) as again:
        assert again.is_doubtful(TABLE), "the second entry may have been sent"
