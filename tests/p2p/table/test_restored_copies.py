"""Nodes that come back with a copy or damaged files (see also `tests/protocol/table/peers`)."""

import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
import trio

from p2p.background_task import beside
from p2p.lobby.damaged_charter import damaged_charters, fetch_charter
from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.journal import Journal
from p2p.storage.journal_file import JournalCorrupt
from p2p.storage.memberships import Membership
from p2p.storage.rollback_guard import GUARD_FILE
from p2p.storage.salvage import open_or_mend
from p2p.table.node import Node
from protocol.charter import LEAST_GRACE
from protocol.table.own_key_probe import OwnKeyElsewhere
from protocol.table.resync import CLAIM_SECONDS, STATUS_SECONDS, Unheard
from tests.lost_files import LOG, Case, lost, put_back
from tests.lost_files_in_play import DEATHS, Death, Game
from tests.p2p.machines import Killed, Machine, Machines, at, failure_of
from tests.p2p.storage.journal_files import spoil_pages

pytestmark = pytest.mark.usefixtures("autojump_clock", "on_memory", "without_proofs")


def test_the_wait_for_a_claim_is_shorter_than_the_shortest_grace() -> None:
    assert CLAIM_SECONDS < LEAST_GRACE


async def test_a_restored_machine_signs_nothing_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wait for Bruno, who is away: Bruno has entries that Ana signed after the copy was made."""
    machines = Machines.make(2, tmp_path)
    await machines.sit_down("canastra", rounds=1)
    ana, bruno = machines.all
    backup = tmp_path / "backup"

    def fate(_point: str) -> bool:
        if not backup.exists() and ana.height > 6 and ana.node and ana.node.chooses:
            shutil.copytree(ana.home, backup)
        return False

    ana.fate = fate
    await machines.play(until=12)
    shutil.rmtree(ana.home)
    shutil.copytree(backup, ana.home)
    ana.node, signed, before = None, ana.said.copy(), len(ana.entries())
    assert before < len(bruno.entries())
    monkeypatch.setattr(Journal, "is_doubtful", lambda _journal, _table: False)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(ana.play)
        await trio.sleep(5 * STATUS_SECONDS)
        assert ana.node is not None
        assert ana.node.node.resync.awaited == Unheard(silent=frozenset({1}))
        assert (ana.height, ana.said) == (before, signed)
        nursery.start_soon(bruno.play)
    machines.check_consistent()


# -- Two machines with one key, from a copied home: the one that starts later stops


def copied(machine: Machine) -> Machine:
    """Return a second machine, whose home is a copy of that machine's home."""
    home = machine.home.with_name("copy")
    shutil.copytree(machine.home, home)
    twin = Machine(machine.network, machine.number, home)
    twin.address = "10.0.0.99"
    return twin


async def _rest(_node: Node) -> None:
    """Write nothing, so that the table stays where it is."""
    await trio.sleep_forever()


@pytest.mark.parametrize("apart", [False, True], ids=["one other", "each linked to another one"])
async def test_a_copy_of_a_home_stops_before_it_signs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, apart: bool
) -> None:
    """Stop the copy, although no file shows that it is one.

    Both machines are linked to the only other player, or each to a different player.
    """
    machines = Machines.make(3 if apart else 2, tmp_path)
    await machines.sit_down("canasta" if apart else "canastra", rounds=1)
    ana, *others = machines.all
    await machines.play_until_one_dies(at(6))
    monkeypatch.setattr(Journal, "is_doubtful", lambda _journal, _table: False)
    twin = copied(ana)
    if apart:
        machines.network.part(twin.address, others[0].address)
        machines.network.part(ana.address, others[1].address)
    async with trio.open_nursery() as nursery:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Node, "_write_all", _rest)
            for machine in machines.all:
                nursery.start_soon(machine.play)
            await trio.sleep(10)
        with trio.fail_after(STATUS_SECONDS):
            assert isinstance(await failure_of(twin.play()), OwnKeyElsewhere)
        assert not twin.said
        nursery.cancel_scope.cancel()


async def test_a_machine_whose_copy_has_played_on_shows_nobody_its_old_signatures(
    tmp_path: Path,
) -> None:
    """Send nobody an entry of Ana's that had reached nobody when Ana's machine died.

    Ana plays on from a copy of the home on another machine, and leaves. When the first machine is
    back, it learns of the entry that the copy signed in the same place. Both entries together would
    expose Ana.
    """
    machines = Machines.make(2, tmp_path)
    await machines.sit_down("canastra", rounds=1)
    ana, bruno = machines.all
    await machines.play_until_one_dies(at(30))
    twin = copied(ana)
    twin.deaths = 5  # so that the copy chooses other moves

    def is_own(point: str) -> bool:
        last = ana.node.state.last if ana.node else None
        chosen = last is not None and last.writer == 0 and last.content.kind == "move"
        return point == "before a send" and chosen and ana.height > 31

    ana.fate = is_own
    async with beside(bruno.play):
        assert isinstance(await failure_of(ana.play()), Killed)
    ana.said.clear()  # the entry has never left the machine
    lost = len(ana.entries())
    assert len(bruno.entries()) < lost
    async with beside(bruno.play), beside(twin.play):
        while bruno.height < lost + 4:
            await bruno.goes_on()
    assert bruno.entries()[lost - 1] != ana.entries()[lost - 1]
    ana.fate = lambda _point: False
    for _ in range(2):
        async with beside(bruno.play):
            with trio.fail_after(10 * STATUS_SECONDS):
                assert isinstance(await failure_of(ana.play()), OwnKeyElsewhere)
            assert bruno.node is not None
            assert bruno.node.exposed is None
    assert not ana.said
    with Journal.open(ana.home / JOURNAL_FILE) as journal:
        assert not journal.evidence(journal.tables()[0].table_id)


# -- Nodes with lost or older files: they go on, and sign nothing twice

HEARD_BY_ONE = DEATHS[-1]


@pytest.mark.parametrize("death", DEATHS, ids=str)
async def test_a_player_who_lost_files_contradicts_nobody_and_goes_on(
    tmp_path: Path, death: Death
) -> None:
    game = await Game.played(tmp_path / "game", death)
    assert await game.end_after(Case({}, 0), tmp_path / "whole") == "goes on"
    assert await game.end_after(Case({LOG: lost}, 0), tmp_path / "log") == "goes on"
    for number, case in enumerate(random.Random(2).sample([*game.cases()], 2)):
        await game.end_after(case, tmp_path / f"{number}")


async def test_an_older_copy_that_is_not_doubted_signs_a_second_entry_in_one_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Show that the tests above can fail if an old copy is not doubted.

    Only the player who comes back last has the entry that was signed after the copy.
    """
    game = await Game.played(tmp_path / "game", HEARD_BY_ONE)
    before = len([*game.moments.iterdir()]) - 2  # the last moment already has that entry
    back = Case(dict.fromkeys((JOURNAL_FILE, LOG, GUARD_FILE), put_back), before)
    assert await game.end_after(back, tmp_path / "doubted") == "goes on"
    monkeypatch.setattr(Journal, "_doubt_older_copy", lambda _journal: None)
    with pytest.raises(BaseExceptionGroup) as caught:
        await game.end_after(back, tmp_path / "not doubted")
    assert isinstance(innermost(caught.value), OwnKeyElsewhere)


def innermost(error: BaseException) -> BaseException:
    return innermost(error.exceptions[0]) if isinstance(error, BaseExceptionGroup) else error


# -- Damaged journals: the node keeps the readable part, and gets the rest from the others

TABLE = bytes(32)
BEGUN = 30
"""The number of entries after which the round is dealt and its locks are in the journals."""


async def begun(folder: Path) -> Machines:
    machines = Machines.make(2, folder)
    await machines.sit_down("canastra", rounds=1)
    await machines.play_until_one_dies(at(BEGUN))
    return machines


def change(machine: Machine, statement: str) -> None:
    """Change a row as a bad disk may do, unnoticed by SQLite."""
    with closing(sqlite3.connect(machine.home / JOURNAL_FILE)) as database, database:
        assert database.execute(statement).rowcount


async def test_an_invalid_entry_of_the_journal_is_fetched_from_the_others(tmp_path: Path) -> None:
    machines = await begun(tmp_path)
    ana, _ = machines.all
    before = ana.entries()
    change(ana, "UPDATE entries SET entry = zeroblob(200) WHERE height = 5")
    with trio.fail_after(600):
        await machines.play_until_one_dies(at(BEGUN + 10))
    assert ana.entries()[: len(before)] == before
    machines.check_consistent()


async def test_a_damaged_journal_is_completed_from_the_others(tmp_path: Path) -> None:
    machines = await begun(tmp_path)
    ana, _ = machines.all
    before = ana.entries()
    spoil_pages(ana.home / JOURNAL_FILE, "entries")
    with pytest.raises(JournalCorrupt, match="start sobremesa resume"):
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
