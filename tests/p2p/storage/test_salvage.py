"""Mending a damaged journal: the new journal in its place, and the damaged file beside it."""

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path
from unittest.mock import Mock

import pytest
from attrs import evolve

from p2p.discovery.address_book import Address
from p2p.storage import journal_file, salvage
from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.identity import Identity
from p2p.storage.journal import Journal, KnownPeer
from p2p.storage.journal_file import JournalCorrupt, JournalDamaged, new_database
from p2p.storage.memberships import Membership
from p2p.storage.reserve import RESERVE_BYTES, RESERVE_FILE
from p2p.storage.rollback_guard import GUARD_FILE
from p2p.storage.salvage import open_or_mend
from protocol.charter import SignedCharter
from tests.p2p.storage.journal_files import PAGE, spoil_pages
from tests.protocol.seeded_table import SeededTable

TABLE, OTHER = bytes(32), bytes([1]) * 32
ENTRIES = tuple(bytes([height]) * 900 for height in range(1, 40))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the path of a closed journal with one table."""
    path = tmp_path / "home" / JOURNAL_FILE
    with Journal.open(path) as journal:
        journal._database.execute("PRAGMA synchronous = OFF")
        journal.create_table(TABLE, b"charter", 0)
        for height, entry in enumerate(ENTRIES, 1):
            journal.append(TABLE, height, entry)
        journal.note_all_synced(TABLE)
    return path


def mended(path: Path) -> Path:
    """Open and mend the journal, and return the path of the damaged file."""
    journal, told = open_or_mend(path)
    journal.close()
    assert told is not None
    return Path(str(dict(told.values)["aside"]))


def test_each_damaged_journal_is_kept_under_a_name_of_its_own(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[tuple[Path, bytes]] = []
    monkeypatch.setattr(
        journal_file, "sync_folder", lambda folder: synced.append((folder, path.read_bytes()))
    )
    asides = []
    for number in (1, 2):
        spoil_pages(path, "entries")
        damaged = path.read_bytes()
        path.with_name(f"{JOURNAL_FILE}.new").write_bytes(b"of a program that died while mending")
        aside = mended(path)
        assert aside.name == f"{JOURNAL_FILE}.damaged-{number}"
        assert aside.read_bytes() == damaged
        assert not path.with_name(f"{JOURNAL_FILE}.new").exists()
        asides.append(aside)
    # The folder is synced when the mended journal is in the place of the damaged one.
    assert [folder for folder, _ in synced] == 2 * [path.parent]
    assert not {aside.read_bytes() for aside in asides} & {there for _, there in synced}


def test_a_mended_journal_waits_for_the_entries_of_the_others(path: Path) -> None:
    spoil_pages(path, "entries")
    mended(path)
    with Journal.open(path) as journal:
        kept = journal.entries(TABLE)
        assert kept == ENTRIES[: len(kept)]
        assert journal.is_doubtful(TABLE)
        assert journal.addresses(TABLE) is None, "there are addresses that were never kept"


def test_the_end_of_a_match_survives_a_repair(path: Path) -> None:
    """The journal keeps its note that all players have the end of the match.

    So the node waits for nobody at that table.
    """
    with Journal.open(path) as journal:
        journal.create_table(OTHER, b"another charter", 0)
    spoil_pages(path, "peers")
    mended(path)
    with Journal.open(path) as journal:
        assert journal.entries(TABLE) == ENTRIES
        assert [journal.have_all_synced(table) for table in (TABLE, OTHER)] == [True, False]


def test_an_index_older_than_its_log_is_noticed(path: Path) -> None:
    """Otherwise an entry could be written twice, and the record would have both."""
    with closing(sqlite3.connect(path)) as database:
        query = "SELECT rootpage FROM sqlite_master WHERE name = 'sqlite_autoindex_entries_1'"
        ((page,),) = database.execute(query).fetchall()
        database.execute("DELETE FROM entries WHERE height > 30")
        database.commit()
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    at = slice((page - 1) * PAGE, page * PAGE)
    earlier = path.read_bytes()[at]
    with Journal.open(path) as journal:
        for height, entry in enumerate(ENTRIES[30:], 31):
            journal.append(TABLE, height, entry)
    data = bytearray(path.read_bytes())
    data[at] = earlier
    path.write_bytes(data)
    with pytest.raises(JournalCorrupt, match="index"):
        Journal.open(path)
    mended(path)
    with Journal.open(path) as journal:
        assert journal.is_doubtful(TABLE)
        assert journal.entries(TABLE) == ENTRIES[:30]
        journal.append(TABLE, 31, ENTRIES[30])
        assert journal.entries(TABLE) == ENTRIES[:31]


# A journal of 26 pages: 17 to 26 have the entries, and those before have the other tables.
@pytest.mark.parametrize(
    ("pages", "least"), [(4, 16), (13, 0)], ids=["in the entries", "before them"]
)
def test_a_truncated_journal_keeps_the_rows_before_the_cut(
    path: Path, pages: int, least: int
) -> None:
    os.truncate(path, path.stat().st_size - pages * PAGE + 1000)
    with pytest.raises(JournalCorrupt):
        Journal.open(path)
    mended(path)
    with Journal.open(path) as journal:
        (table,) = journal.tables()
        assert (table.table_id, table.charter) == (TABLE, b"charter")
        kept = journal.entries(TABLE)
        assert kept == ENTRIES[: len(kept)]
        assert len(kept) >= least
        assert journal.is_doubtful(TABLE)


@pytest.mark.parametrize("others", [0, 30], ids=["none is readable", "some are readable"])
def test_a_journal_whose_tables_cannot_be_read_is_left_as_it_is(path: Path, others: int) -> None:
    """With a new journal, the node would sign a second time at the tables that are lost."""
    with Journal.open(path) as journal:
        for number in range(others):
            journal.create_table(bytes([number]) * 31 + b"t", bytes(900), 0)
    spoil_pages(path, "tables")
    data = path.read_bytes()
    for _ in range(2):  # and no start makes another copy on the disk
        with pytest.raises(JournalCorrupt, match="the list of its tables"):
            open_or_mend(path)
    assert path.read_bytes() == data
    assert not [*path.parent.glob("*.damaged*"), *path.parent.glob("*.new")]


def test_a_node_that_never_signed_may_have_no_tables(path: Path) -> None:
    with Journal.open(path) as journal:
        for number in range(40):
            journal.remember_peer(KnownPeer(bytes([number]) * 32, 300 * "A", "2026-01-01"))
    with closing(sqlite3.connect(path)) as database, database:
        for table in ("entries", "tables"):
            database.execute(f"DELETE FROM {table}")
    path.with_name(GUARD_FILE).unlink()
    spoil_pages(path, "peers")
    mended(path)
    with Journal.open(path) as journal:
        assert not journal.tables()
        assert journal.peers()


def test_a_journal_truncated_before_its_tables_is_left_as_it_is(path: Path) -> None:
    """SQLite reads no rows after the cut and reports no error, so the program looks for the cut."""
    left = 0
    for size in range(PAGE, 2 * PAGE, 64):
        data = path.read_bytes()
        os.truncate(path, size)
        try:
            mended(path)
        except JournalCorrupt:
            left += 1
            assert path.stat().st_size == size
        else:
            with Journal.open(path) as journal:
                assert [table.table_id for table in journal.tables()] == [TABLE]
        path.write_bytes(data)
    assert left


@contextmanager
def with_a_log(path: Path) -> Iterator[None]:
    """Write rows that are only in the log, not in the journal's file, during the block.

    Another connection, which never writes the log into the file, stays open for this.
    """
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("PRAGMA wal_autocheckpoint = 0")
        other.execute("INSERT INTO peers VALUES (?, 'Ana', '2024')", (TABLE,))
        other.execute("UPDATE tables SET addresses = x'00'")
        yield


@pytest.mark.parametrize("at_the_end", [False, True])
@pytest.mark.parametrize("dies", [False, True])
def test_an_interrupted_repair_keeps_the_log(
    path: Path, monkeypatch: pytest.MonkeyPatch, dies: bool, at_the_end: bool
) -> None:
    """The repair stops before or after the new file is in its place, with an error or a death.

    The rows in the log are kept, but SQLite must not apply the old log to the new journal.
    """
    spoil_pages(path, "entries")
    with with_a_log(path):
        before = _files(path)
        with monkeypatch.context() as patched:
            last = (journal_file, "sync_folder") if at_the_end else (os, "replace")
            patched.setattr(*last, Mock(side_effect=OSError("The file is in use.")))
            if dies:
                patched.setattr(salvage, "_undo", Mock())  # a dead program undoes nothing
            with pytest.raises(OSError, match="in use"):
                open_or_mend(path)
        if at_the_end:
            assert f"{JOURNAL_FILE}-wal" not in _files(path)
        elif not dies:
            assert _files(path) == before
        journal, told = open_or_mend(path)
        with journal:
            assert (told is None) == at_the_end
            assert [peer.name for peer in journal.peers()] == ["Ana"]
            journal.append(TABLE, len(journal.entries(TABLE)) + 1, b"next", {})
        damaged = f"{JOURNAL_FILE}.damaged-"
        kept = {name: data for name, data in _files(path).items() if name.startswith(damaged)}
        assert kept == {f"{damaged}1{name[len(JOURNAL_FILE) :]}": before[name] for name in before}


def test_a_new_journal_with_the_time_of_the_damaged_one_is_told_apart_from_it(path: Path) -> None:
    """The bytes are compared, because the times of files may be exact only to two seconds."""
    aside, log = (path.with_name(f"{JOURNAL_FILE}.damaged-1{end}") for end in ("", "-wal"))
    aside.write_bytes(path.read_bytes()[::-1])
    log.write_bytes(b"log")
    for file in (path, aside):
        os.utime(file, (7, 7))
    open_or_mend(path)[0].close()
    assert log.exists()


def test_a_log_that_is_still_there_is_kept_when_a_repair_is_undone(path: Path) -> None:
    aside = path.with_name(f"{JOURNAL_FILE}.damaged-1")
    shutil.copy2(path, aside)
    for file, content in ((path, b"the log"), (aside, b"its copy")):
        file.with_name(f"{file.name}-wal").write_bytes(content)
    salvage._undo(path, aside)
    assert path.with_name(f"{JOURNAL_FILE}-wal").read_bytes() == b"the log"
    assert not [*path.parent.glob(f"{aside.name}*")]


@pytest.mark.parametrize("gone", [JOURNAL_FILE, f"{JOURNAL_FILE}.damaged-1"])
def test_the_log_of_a_repair_does_no_harm_if_another_file_is_gone(path: Path, gone: str) -> None:
    shutil.copy2(path, path.with_name(f"{JOURNAL_FILE}.damaged-1"))
    log = path.with_name(f"{JOURNAL_FILE}.damaged-1-wal")
    log.write_bytes(b"log")
    path.with_name(gone).unlink()
    with nullcontext() if path.exists() else pytest.raises(JournalDamaged, match="is gone"):
        open_or_mend(path)[0].close()
    assert log.exists()


def _files(path: Path) -> dict[str, bytes]:
    """Return the content of the journal's files, except SQLite's index of the log."""
    files = (one for one in path.parent.iterdir() if one.name.startswith(JOURNAL_FILE))
    return {one.name: one.read_bytes() for one in files if not one.name.endswith("-shm")}


def test_a_journal_has_no_log_while_it_is_filled(tmp_path: Path) -> None:
    """After a death, SQLite would apply the log to the next journal, and damage that."""
    with new_database(tmp_path / JOURNAL_FILE) as to:
        to.execute("BEGIN")
        to.execute("INSERT INTO peers VALUES (?, 'Ana', '2024')", (TABLE,))
        assert [file.name for file in tmp_path.iterdir()] == [f"{JOURNAL_FILE}.new"]
        assert to.execute("PRAGMA fullfsync").fetchone() == (1,)
        to.execute("COMMIT")


@pytest.mark.parametrize("is_damaged", [False, True])
def test_an_open_journal_has_a_reserve(path: Path, is_damaged: bool) -> None:
    if is_damaged:
        spoil_pages(path, "entries")
    journal, _ = open_or_mend(path)
    journal.close()
    assert path.with_name(RESERVE_FILE).stat().st_size == RESERVE_BYTES


# -- Damage within a row, which SQLite does not notice

ANA, ME = range(2)


@pytest.fixture
def players(tmp_path: Path) -> Path:
    """Return the journal of the second player of two, who knows where the first one is."""
    home = tmp_path / "home"
    bruno, ana = Identity.load_or_create(home), Identity.generate()
    charter = SeededTable.sit(players=2).charter.charter
    keys = (ana.public, bruno.public)
    members = (evolve(m, key=key) for m, key in zip(charter.members, keys, strict=True))
    charter = evolve(charter, members=tuple(members))
    signed = SignedCharter(charter, (charter.sign(ana.sign), charter.sign(bruno.sign)))
    with Journal.open(home / JOURNAL_FILE) as journal:
        Membership(signed, ME, (Address(ana.public, "192.0.2.1", 7),)).keep(journal)
        journal.append(charter.table_id, 1, b"entry", {"lock/000001": bytes(31) + b"\1"})
        journal.remember_peer(KnownPeer(ana.public, "Ana", "2026-01-01"))
    return home / JOURNAL_FILE


def change(path: Path, statement: str) -> None:
    """Change rows as a bad disk may do, even against SQLite's own rules.

    The rule that `created` is not null is dropped for the statement, and then restored.
    """
    needed, lacking = "created TEXT NOT NULL", "created TEXT"
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        for before, after in ((needed, lacking), (lacking, needed)):
            database.execute("PRAGMA writable_schema = ON")
            database.execute("UPDATE sqlite_master SET sql = replace(sql, ?, ?)", (before, after))
            database.execute("PRAGMA writable_schema = RESET")
            if after == lacking:
                assert database.execute(statement).rowcount


def recalled(path: Path) -> Membership:
    with Journal.open(path) as journal:
        return Membership.recalled(journal, journal.tables()[0])


@pytest.mark.parametrize("number", ["0", "5", "-1", "NULL"])
def test_the_own_player_number_is_taken_from_the_charter(players: Path, number: str) -> None:
    """With a wrong number, the node would stay silent at its table, or end."""
    change(players, f"UPDATE tables SET me = {number}")
    assert recalled(players).me == ME


@pytest.mark.parametrize("kept", ["x'00'", "zeroblob(60)"])
def test_damaged_addresses_of_members_do_not_lose_the_table(players: Path, kept: str) -> None:
    change(players, f"UPDATE tables SET addresses = {kept}")
    assert recalled(players).addresses == ()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE tables SET charter = CAST(charter AS TEXT)",
        "UPDATE tables SET me = 'x'",
        "UPDATE tables SET created = NULL",
        "UPDATE tables SET created = x'ff'",
        "UPDATE tables SET created = CAST(x'ff' AS TEXT)",
        "UPDATE tables SET addresses = 'x'",
        "UPDATE entries SET entry = 7",
        "UPDATE secrets SET secret = 7",
        "UPDATE peers SET name = CAST(x'ff41' AS TEXT)",
        "UPDATE owner SET key = CAST(key AS TEXT)",
    ],
)
def test_a_value_of_another_type_is_repaired_like_other_damage(
    players: Path, statement: str
) -> None:
    """No code of the program expects another type."""
    change(players, statement)
    with pytest.raises(JournalCorrupt):
        Journal.open(players)
    journal, told = open_or_mend(players)
    with journal:
        assert told is not None
        (record,) = journal.tables()
        assert journal.is_doubtful(record.table_id)
        assert Membership.recalled(journal, record).me == ME
        assert len(journal.peers()) == 1
