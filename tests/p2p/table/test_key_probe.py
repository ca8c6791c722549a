"""Two machines with one key, from a copied home: the one that sits down later stops in time."""

import shutil
from pathlib import Path

import pytest
import trio

from p2p.background_task import beside
from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.journal import Journal
from p2p.table.node import Node
from protocol.table.key_probe import OwnKeyElsewhere
from protocol.table.resync import STATUS_SECONDS
from tests.p2p.machines import Killed, Machine, Machines, at, failure_of

pytestmark = pytest.mark.usefixtures("autojump_clock", "on_memory", "without_proofs")


def copied(machine: Machine) -> Machine:
    """Return a second machine with a copy of that one's home."""
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
    """Nothing tells the copy that its journal is one.

    Both are linked to the only other player, or each to a different one.
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


async def test_who_comes_back_when_their_copy_has_played_on_shows_nobody_what_they_signed(
    tmp_path: Path,
) -> None:
    """Ana's machine dies, or sleeps, with an entry that has reached nobody.

    Its owner plays on from a copy of the home elsewhere, and leaves. When the first machine is back
    it learns what was signed there: by its own entry in that place Ana would be exposed.
    """
    machines = Machines.make(2, tmp_path)
    await machines.sit_down("canastra", rounds=1)
    ana, bruno = machines.all
    await machines.play_until_one_dies(at(30))
    twin = copied(ana)
    twin.deaths = 5  # so that other moves are chosen there

    def is_own(point: str) -> bool:
        last = ana.node.state.last if ana.node else None
        chosen = last is not None and last.writer == 0 and last.content.kind == "move"
        return point == "before a send" and chosen and ana.height > 31

    ana.fate = is_own
    async with beside(bruno.play):
        assert isinstance(await failure_of(ana.play()), Killed)
    ana.said.clear()  # it has never left the machine
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
