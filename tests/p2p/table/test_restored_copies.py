"""Nodes with copied, older or damaged files (see also `tests/protocol/table/peers`)."""

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
from protocol.table.resync import CLAIM_SECONDS, STATUS_SECONDS
from tests.lost_files import LOG, Case, lost, put_back
from tests.lost_files_in_play import DEATHS, Death, Game
from tests.p2p.machines import Killed, Machine, Machines, at, failure_of
from tests.p2p.storage.journal_files import spoil_pages
from tests.p2p.table.vector_records import signed_charter

pytestmark = pytest.mark.usefixtures("autojump_clock", "on_memory", "without_proofs")


def test_the_wait_for_a_claim_is_shorter_than_the_shortest_grace() -> None:
    assert CLAIM_SECONDS < LEAST_GRACE


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


async def test_a_copy_of_a_home_stops_before_it_signs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The copy stops, although no file shows that it is one.

    The two machines are linked to different players.
    """
    machines = Machines.make(3, tmp_path)
    await machines.sit_down("canasta", rounds=1)
    ana, bruno, carla = machines.all
    await machines.play_until_one_dies(at(6))
    monkeypatch.setattr(Journal, "is_doubtful", lambda _journal, _table: False)
    twin = copied(ana)
    machines.network.part(twin.address, bruno.address)
    machines.network.part(ana.address, carla.address)
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
    """Ana's machine dies with an entry that has reached nobody.

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


@pytest.mark.parametrize("death", DEATHS, ids=str)
async def test_a_player_who_lost_files_contradicts_nobody_and_goes_on(
    tmp_path: Path, death: Death
) -> None:
    game = await Game.played(tmp_path / "game", death)
    assert await game.end_after(Case({LOG: lost}, 0), tmp_path / "log") == "goes on"
    for number, case in enumerate(random.Random(2).sample([*game.cases()], 2)):
        await game.end_after(case, tmp_path / f"{number}")


async def test_an_older_copy_that_is_not_doubted_signs_a_second_entry_in_one_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If old copies were not doubted, the test above would fail.

    Only the player who comes back last has the entry that was signed after the copy. A node in
    doubt waits for that player, and then goes on.
    """
    game = await Game.played(tmp_path / "game", DEATHS[-1])
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

BEGUN = 30
"""The number of entries after which the round is dealt and its locks are in the journals."""


async def begun(folder: Path) -> Machines:
    machines = Machines.make(2, folder)
    await machines.sit_down("canastra", rounds=1)
    await machines.play_until_one_dies(at(BEGUN))
    return machines


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
    """Without a member nothing is fetched, and nobody can send the charter of another table."""
    ana, bruno = (await begun(tmp_path)).all
    with Journal.open(bruno.home / JOURNAL_FILE) as journal:
        charter = journal.tables()[0].charter
    with closing(sqlite3.connect(ana.home / JOURNAL_FILE)) as database, database:
        database.execute("UPDATE tables SET charter = zeroblob(100)")
    async with ana.process() as (endpoint, journal):
        (record,) = damaged_charters(journal)
        assert not await fetch_charter(endpoint, journal, record)
        for sent in (signed_charter("canastra.json").encode(), charter):
            with Journal.open(bruno.home / JOURNAL_FILE) as other:
                other.replace_charter(record.table_id, sent)
            async with bruno.process():
                is_fetched = await fetch_charter(endpoint, journal, record)
            kept = journal.tables()[0].charter
            assert (is_fetched, kept) == (sent == charter, charter if is_fetched else bytes(100))
        assert not damaged_charters(journal)
        assert Membership.recalled(journal, journal.tables()[0]).me == 0
