"""A journal that the disk has damaged: what can be read of it is kept, the others have the rest."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
import trio

from p2p.lobby.damaged_charter import damaged_charters, fetch_charter
from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.journal import Journal
from p2p.storage.journal_file import JournalCorrupt
from p2p.storage.memberships import Membership
from p2p.storage.salvage import open_or_mend
from tests.p2p.machines import Machine, Machines, at
from tests.p2p.storage.journal_files import spoil_pages

pytestmark = pytest.mark.usefixtures("autojump_clock", "on_memory", "without_proofs")

TABLE = bytes(32)
BEGUN = 30
"""Entries of a round that has been dealt: its locks are in the journals."""


async def begun(folder: Path) -> Machines:
    machines = Machines.make(2, folder)
    await machines.sit_down("canastra", rounds=1)
    await machines.play_until_one_dies(at(BEGUN))
    return machines


def change(machine: Machine, statement: str) -> None:
    """Change a row as a disk may do, where SQLite does not see it."""
    with closing(sqlite3.connect(machine.home / JOURNAL_FILE)) as database, database:
        assert database.execute(statement).rowcount


async def test_an_entry_that_does_not_hold_any_more_is_asked_of_the_others(tmp_path: Path) -> None:
    machines = await begun(tmp_path)
    ana, _ = machines.all
    before = ana.entries()
    change(ana, "UPDATE entries SET entry = zeroblob(200) WHERE height = 5")
    with trio.fail_after(600):
        await machines.play_until_one_dies(at(BEGUN + 10))
    assert ana.entries()[: len(before)] == before
    machines.check_consistent()


async def test_a_journal_with_damaged_pages_goes_on_with_what_the_others_have(
    tmp_path: Path,
) -> None:
    machines = await begun(tmp_path)
    ana, _ = machines.all
    before = ana.entries()
    spoil_pages(ana.home / JOURNAL_FILE, "entries")
    with pytest.raises(JournalCorrupt, match="sobremesa resume keeps"):
        Journal.open(ana.home / JOURNAL_FILE)
    journal, told = open_or_mend(ana.home / JOURNAL_FILE)
    with journal:
        (table,) = journal.tables()
        assert journal.is_doubtful(table.table_id)
        kept = journal.entries(table.table_id)
        assert kept == before[: len(kept)]
        assert journal.secrets(table.table_id)
    assert told is not None
    assert Path(str(dict(told.values)["aside"])).exists()
    with trio.fail_after(600):
        await machines.play_until_one_dies(at(BEGUN + 10))
    assert ana.entries()[: len(before)] == before
    machines.check_consistent()


async def test_a_damaged_charter_is_fetched_from_a_member(tmp_path: Path) -> None:
    machines = await begun(tmp_path)
    ana, bruno = machines.all
    with Journal.open(ana.home / JOURNAL_FILE) as journal:
        charter = journal.tables()[0].charter
    change(ana, "UPDATE tables SET charter = zeroblob(100)")
    async with ana.process() as (endpoint, journal):
        (record,) = damaged_charters(journal)
        assert not await fetch_charter(endpoint, journal, record)  # nobody is there
        async with bruno.process():
            assert await fetch_charter(endpoint, journal, record)
        assert not damaged_charters(journal)
        assert journal.tables()[0].charter == charter
        assert Membership.recalled(journal, journal.tables()[0]).me == 0


async def test_nobody_can_send_the_charter_of_another_table(tmp_path: Path) -> None:
    machines = await begun(tmp_path / "one")
    other = await begun(tmp_path / "other")
    ana, bruno = machines.all
    with Journal.open(other.all[0].home / JOURNAL_FILE) as journal:
        false = journal.tables()[0].charter
    change(ana, "UPDATE tables SET charter = zeroblob(100)")
    with Journal.open(bruno.home / JOURNAL_FILE) as journal:
        journal.replace_charter(journal.tables()[0].table_id, false)
    async with ana.process() as (endpoint, journal), bruno.process():
        (record,) = damaged_charters(journal)
        assert not await fetch_charter(endpoint, journal, record)
        assert journal.tables()[0].charter == bytes(100)
