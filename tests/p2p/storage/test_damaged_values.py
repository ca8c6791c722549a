"""Changes that a disk makes in a row of the journal where SQLite does not see them.

They are bits of a value, or of the head of its row, which make it a value of another kind.
"""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from attrs import evolve

from p2p.discovery.address_book import Address
from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.identity import Identity
from p2p.storage.journal import Journal, KnownPeer
from p2p.storage.journal_file import JournalCorrupt
from p2p.storage.memberships import Membership
from p2p.storage.salvage import open_or_mend
from protocol.charter import SignedCharter
from tests.protocol.ring import Ring

pytestmark = pytest.mark.usefixtures("on_memory")

ANA, ME = range(2)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the journal of the second player of two, who knows where the first one is."""
    home = tmp_path / "home"
    bruno, ana = Identity.load_or_create(home), Identity.generate()
    charter = Ring.sit(players=2).charter.charter
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
    with closing(sqlite3.connect(path)) as database, database:
        assert database.execute(statement).rowcount


def recalled(path: Path) -> Membership:
    with Journal.open(path) as journal:
        return Membership.recalled(journal, journal.tables()[0])


@pytest.mark.parametrize("number", ["0", "5", "-1", "NULL"])
def test_which_player_this_is_says_the_charter(path: Path, number: str) -> None:
    """With another number the node would be silent at its own table, or end."""
    change(path, f"UPDATE tables SET me = {number}")
    assert recalled(path).me == ME


@pytest.mark.parametrize("kept", ["x'00'", "zeroblob(60)"])
def test_where_the_others_were_is_a_hint_and_no_part_of_the_table(path: Path, kept: str) -> None:
    change(path, f"UPDATE tables SET addresses = {kept}")
    assert recalled(path).addresses == ()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE tables SET charter = CAST(charter AS TEXT)",
        "UPDATE tables SET me = 'x'",
        "UPDATE tables SET created = x'ff'",
        "UPDATE tables SET created = CAST(x'ff' AS TEXT)",
        "UPDATE tables SET addresses = 'x'",
        "UPDATE entries SET entry = 7",
        "UPDATE secrets SET secret = 7",
        "UPDATE peers SET name = CAST(x'ff41' AS TEXT)",
        "UPDATE owner SET key = CAST(key AS TEXT)",
    ],
)
def test_a_value_of_another_kind_is_mended_like_all_that_is_damaged(
    path: Path, statement: str
) -> None:
    """Nothing of the program is made for it."""
    change(path, statement)
    with pytest.raises(JournalCorrupt):
        Journal.open(path)
    journal, told = open_or_mend(path)
    with journal:
        assert told is not None
        (record,) = journal.tables()
        assert journal.is_doubtful(record.table_id)
        assert Membership.recalled(journal, record).me == ME
        assert len(journal.peers()) == 1


def test_a_table_that_lacks_a_value_is_kept(path: Path) -> None:
    """SQLite lets no program take away what a column must have: a disk does not ask."""
    needed, lacking = "created TEXT NOT NULL", "created TEXT"
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        for before, after in ((needed, lacking), (lacking, needed)):
            database.execute("PRAGMA writable_schema = ON")
            database.execute("UPDATE sqlite_master SET sql = replace(sql, ?, ?)", (before, after))
            database.execute("PRAGMA writable_schema = RESET")
            if after == lacking:
                database.execute("UPDATE tables SET created = NULL")
    with pytest.raises(JournalCorrupt):
        Journal.open(path)
    journal, _ = open_or_mend(path)
    with journal:
        (record,) = journal.tables()
        assert Membership.recalled(journal, record).me == ME
