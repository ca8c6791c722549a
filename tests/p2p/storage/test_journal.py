"""The journal: its content after reopening, its refusals, its file, and crashes."""

import errno
import os
import shutil
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.identity import Identity
from p2p.storage.journal import Journal, KnownPeer, who_gave_up
from p2p.storage.journal_file import (
    SCHEMA_VERSION,
    JournalConflict,
    JournalDamaged,
    JournalError,
    JournalFull,
    explained,
)
from p2p.storage.private_files import FolderError, IdentityInUse
from tests.p2p.storage.journal_files import OTHER, PAGE, TABLE, files_now

posix = pytest.mark.skipif(os.name != "posix", reason="modes and signals are POSIX's")


def on_disk(path: Path) -> bytes:
    return b"".join(file.read_bytes() for file in sorted(path.parent.iterdir()))


# Content after reopening


def test_all_data_are_there_after_reopening(path: Path) -> None:
    with Journal.open(path) as journal:
        journal.create_table(TABLE, b"charter", 2)
        journal.create_table(OTHER, b"watched", None)
        journal.append(TABLE, 1, b"one", {"key": b"k", "nonce": b"n", "more": b"m"})
        journal.append(TABLE, 2, b"two")
        journal.keep_evidence(TABLE, "Bob signed two entries 2.", b"both")
        journal.remember_peer(KnownPeer(b"p" * 32, "Ana", "2024-05-01"))
        journal.keep_statement(TABLE, 9, b"later")
        journal.keep_statement(TABLE, 1, b"statement")
        journal.note_given_up(OTHER)
        journal.keep_pending_charter(b"pending")
        journal.keep_addresses(OTHER, b"addresses")
        journal.note_all_synced(TABLE)
        journal.note_in_a_file(OTHER)
    with Journal.open(path) as journal:
        assert [(t.table_id, t.charter, t.me) for t in journal.tables()] == [
            (TABLE, b"charter", 2),
            (OTHER, b"watched", None),
        ]
        secrets = {"key": b"k", "nonce": b"n", "more": b"m"}
        assert [journal.entries(table) for table in (TABLE, OTHER)] == [(b"one", b"two"), ()]
        assert [journal.secrets(table) for table in (TABLE, OTHER)] == [secrets, {}]
        assert journal.evidence(TABLE) == (("Bob signed two entries 2.", b"both"),)
        assert journal.peers() == (KnownPeer(b"p" * 32, "Ana", "2024-05-01"),)
        statements = [journal.statements(table) for table in (TABLE, OTHER)]
        assert statements == [(b"statement", b"later"), ()]
        assert [journal.is_given_up(table) for table in (TABLE, OTHER)] == [False, True]
        assert journal.pending_charter() == b"pending"
        assert [journal.addresses(table) for table in (TABLE, OTHER)] == [None, b"addresses"]
        assert [journal.have_all_synced(table) for table in (TABLE, OTHER)] == [True, False]
        assert [journal.is_in_a_file(table) for table in (TABLE, OTHER)] == [False, True]


def test_entries_come_in_parts(journal: Journal) -> None:
    for height in range(1, 12):
        journal.append(TABLE, height, b"%d" % height)
    assert journal.entries(TABLE, since=9) == (b"9", b"10", b"11")
    assert journal.entries(TABLE, since=3, most=2) == (b"3", b"4")
    assert journal.entries(TABLE, since=12) == ()


def test_writing_the_same_rows_again_changes_nothing(journal: Journal) -> None:
    for _ in range(2):
        journal.create_table(TABLE, b"charter", 2)
        journal.append(TABLE, 1, b"one", {"key": b"k"})
        journal.keep_evidence(TABLE, "Bob lied.", b"bytes")
    assert len(journal.tables()) == len(journal.entries(TABLE)) == 1
    assert journal.secrets(TABLE) == {"key": b"k"}
    assert len(journal.evidence(TABLE)) == 1


def test_a_known_peer_keeps_its_first_day(journal: Journal) -> None:
    journal.remember_peer(KnownPeer(b"k" * 32, "Ana", "2024"))
    journal.remember_peer(KnownPeer(b"k" * 32, "Ana María", "2025"))
    assert journal.peers() == (KnownPeer(b"k" * 32, "Ana María", "2024"),)


def test_a_journal_tells_that_its_owner_has_given_up_a_match(path: Path) -> None:
    """Other programs can read this even while the journal is in use."""
    owner = Identity.load_or_create(path.parent)
    assert who_gave_up(path, TABLE) is None
    with Journal.open(path) as journal:
        for table_id in (TABLE, OTHER):
            journal.create_table(table_id, b"charter", 0)
        journal.note_given_up(OTHER)
        assert [who_gave_up(path, table_id) for table_id in (TABLE, OTHER)] == [None, owner.public]


def test_a_pending_charter_can_be_dropped(journal: Journal) -> None:
    journal.keep_pending_charter(b"pending")
    journal.drop_pending_charter()
    assert journal.pending_charter() is None


# Refused writes


OUT_OF_ORDER, UNKNOWN = "of this table is 2", "does not know this table"


@pytest.mark.parametrize(
    ("write", "error", "says"),
    [
        (lambda j: j.append(TABLE, 1, b"ONE", {"n": b"n"}), JournalConflict, "another entry 1"),
        (lambda j: j.append(TABLE, 2, b"two", {"a": b"f", "key": b"x"}), JournalConflict, "key"),
        (lambda j: j.keep_statement(TABLE, 1, b"x"), JournalConflict, "another continuation"),
        (lambda j: j.create_table(TABLE, b"forged", 2), JournalConflict, "another charter"),
        (lambda j: j.create_table(TABLE, b"charter", 1), JournalConflict, "another"),
        (lambda j: j.append(TABLE, 3, b"entry"), JournalError, OUT_OF_ORDER),
        (lambda j: j.append(TABLE, 0, b"entry"), JournalError, OUT_OF_ORDER),
        (lambda j: j.append(TABLE, -1, b"entry"), JournalError, OUT_OF_ORDER),
        (lambda j: j.append(OTHER, 1, b"entry"), JournalError, UNKNOWN),
        (lambda j: j.append(OTHER, 1, b"entry", {"key": b"k"}), JournalError, UNKNOWN),
        (lambda j: j.keep_evidence(OTHER, "Bob lied.", b"bytes"), JournalError, UNKNOWN),
    ],
)
def test_a_write_that_contradicts_the_journal_is_refused_as_a_whole(
    journal: Journal, write: Callable[[Journal], None], error: type[Exception], says: str
) -> None:
    journal.append(TABLE, 1, b"one", {"key": b"k"})
    for _ in range(2):
        journal.keep_statement(TABLE, 1, b"statement")
    before = content(journal)
    with pytest.raises(error, match=says):
        write(journal)
    assert content(journal) == before
    assert journal.statements(TABLE) == (b"statement",)
    assert journal.entries(TABLE, since=-5) == (b"one",)


def test_using_a_closed_journal_is_a_bug(journal: Journal) -> None:
    assert journal._guard._descriptor is not None
    journal.close()
    with pytest.raises(sqlite3.ProgrammingError):
        journal.tables()
    assert [journal._guard._descriptor, journal._guard._syncer] == [None, None]


# Secrets


def test_forgotten_secrets_are_gone_from_the_files(journal: Journal, path: Path) -> None:
    marks = {f"round 1/{i}": f"SECRET-{i:03}".encode() * 50 for i in range(40)}
    journal.append(TABLE, 1, b"ENTRY", marks)
    journal.append(TABLE, 2, b"ENTRY", {"round 2/key": b"STAYS"})
    assert all(mark in on_disk(path) for mark in marks.values())  # the search can find them

    journal.forget_secrets(TABLE, "round 1/")
    assert journal.secrets(TABLE) == {"round 2/key": b"STAYS"}
    searched = (b"SECRET-", b"ENTRY", b"STAYS")
    assert [mark in on_disk(path) for mark in searched] == [False, True, True]


def test_only_secrets_with_the_prefix_are_forgotten(journal: Journal) -> None:
    journal.create_table(OTHER, b"charter", 0)
    journal.append(TABLE, 1, b"one", dict.fromkeys(("a%", "a%1", "ab", "b", "A%"), b"s"))
    journal.append(OTHER, 1, b"one", {"a%": b"s"})
    journal.forget_secrets(TABLE, "a%")
    assert set(journal.secrets(TABLE)) == {"ab", "b", "A%"}
    assert set(journal.secrets(OTHER)) == {"a%"}
    journal.forget_secrets(TABLE)
    assert journal.secrets(TABLE) == {}


# The file


@posix
def test_all_files_are_private(journal: Journal, path: Path) -> None:
    journal.append(TABLE, 1, b"one")
    names = {file.name for file in path.parent.iterdir()}
    assert {JOURNAL_FILE, f"{JOURNAL_FILE}-wal", f"{JOURNAL_FILE}-shm"} <= names
    assert {file.stat().st_mode & 0o777 for file in path.parent.iterdir()} == {0o600}
    assert path.parent.stat().st_mode & 0o777 == 0o700


@posix
def test_a_file_open_to_others_is_refused(path: Path) -> None:
    Journal.open(path).close()
    path.chmod(0o644)
    with pytest.raises(FolderError, match="chmod 600"):
        Journal.open(path)
    path.chmod(0o600)
    Journal.open(path).close()  # works: the refused journal has released the lock


def test_every_commit_is_synced_and_little_of_a_long_journal_is_in_memory(journal: Journal) -> None:
    """SQLite's usual cache would keep two megabytes after the check has read the whole file."""
    pragmas = {"journal_mode": "wal", "synchronous": 2, "secure_delete": 1, "foreign_keys": 1}
    pragmas["cache_size"] = -64  # negative: KiB instead of pages
    assert {name: journal._query(f"PRAGMA {name}")[0][0] for name in pragmas} == pragmas


def test_one_process_at_a_time(path: Path) -> None:
    with Journal.open(path):
        for _ in range(2):  # a refusal leaves the lock to the journal that is open
            with pytest.raises(IdentityInUse, match="already running"):
                Journal.open(path)
    Journal.open(path).close()


def set_pragma(path: Path, pragma: str) -> None:
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(f"PRAGMA {pragma}")


def damage(path: Path) -> None:
    data = bytearray(path.read_bytes())
    for page in range(1, len(data) // PAGE):
        data[page * PAGE : page * PAGE + 64] = b"\xff" * 64
    path.write_bytes(data)


def damage_one_byte(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[2 * PAGE + 7] ^= 0x15  # in the header of a page that opening the file does not use
    path.write_bytes(data)


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (lambda path: set_pragma(path, f"user_version = {SCHEMA_VERSION + 1}"), "newer version"),
        (lambda path: set_pragma(path, "application_id = 7"), "no journal of Sobremesa"),
        (lambda path: path.write_bytes(b"My shopping list: bread, wine.\n" * 300), "damaged"),
        (damage, "damaged"),
        (damage_one_byte, "damaged .Fragmentation"),
        (lambda path: path.write_bytes(path.read_bytes()[:6000]), "damaged"),
    ],
)
def test_a_damaged_file_is_not_overwritten(
    path: Path, spoil: Callable[[Path], None], says: str
) -> None:
    with Journal.open(path) as journal:
        journal.create_table(TABLE, b"charter", 2)
        for height in range(1, 20):
            journal.append(TABLE, height, bytes(1000))
    spoil(path)
    before = path.read_bytes()
    with pytest.raises(JournalDamaged, match=says):
        Journal.open(path)
    assert path.read_bytes() == before


def test_a_full_disk_is_told_from_other_errors_of_the_system(path: Path) -> None:
    for number, error in ((errno.ENOSPC, JournalFull), (errno.EACCES, PermissionError)):
        with pytest.raises(error), explained(path):
            raise OSError(number, "the system's words")


def test_threads_take_turns(journal: Journal) -> None:
    def write(table_id: bytes) -> None:
        journal.create_table(table_id, b"charter", 0)
        for height in range(1, 21):
            journal.append(table_id, height, b"%d" % height, {f"{height}": b"s"})

    tables = [bytes([number]) * 32 for number in range(6)]
    with ThreadPoolExecutor(len(tables)) as threads:
        list(threads.map(write, tables))
    for table_id in tables:
        assert journal.entries(table_id) == tuple(b"%d" % height for height in range(1, 21))
        assert len(journal.secrets(table_id)) == 20


# Crashes


def content(journal: Journal) -> tuple[object, ...]:
    tables = [(table.table_id, table.charter, table.me) for table in journal.tables()]
    return tables, journal.entries(TABLE), journal.secrets(TABLE), journal.evidence(TABLE)


def test_a_crash_within_a_call_leaves_all_of_its_writes_or_none(
    journal: Journal, path: Path, tmp_path: Path
) -> None:
    journal.append(TABLE, 1, b"one")
    before = content(journal)
    log = path.with_name(f"{path.name}-wal")
    written = log.stat().st_size
    # A copy from before the next append, which changes only the log.
    whole = files_now(path, tmp_path / "whole")
    journal.append(TABLE, 2, b"two" * 3000, {"key": b"k" * 32})
    after = content(journal)
    wal = log.read_bytes()
    seen = []
    for number, length in enumerate([*range(written, len(wal), 997), len(wal)]):
        crashed = tmp_path / f"crash {number}"
        shutil.copytree(whole.parent, crashed)
        (crashed / f"{JOURNAL_FILE}-wal").write_bytes(wal[:length])
        with Journal.open(crashed / JOURNAL_FILE) as again:
            assert content(again) in (before, after)
            seen.append(content(again) == after)
            again.append(TABLE, len(again.entries(TABLE)) + 1, b"and on")
    assert seen == sorted(seen)
    assert (seen[0], seen[-1]) == (False, True)
