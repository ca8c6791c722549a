"""Power cuts in a game: nobody is exposed by writing again what was not synced.

A peer hides what it was sent before.
"""

from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from p2p.storage.rollback_guard import RollbackGuard
from protocol import entries
from protocol.entries import Entry, UnlockContent
from protocol.place import Place
from protocol.reducer import check_equivocation
from tests.p2p.machines import Killed, Machine, Machines, failure_of

pytestmark = pytest.mark.usefixtures("on_memory")


@pytest.mark.parametrize("players", [2, 3])
async def test_an_unlocking_that_a_power_cut_took_is_written_again_in_the_same_bytes(
    tmp_path: Path, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch, players: int
) -> None:
    """All lose their power when an unlocking of Ana's is on its way.

    The one who has it hides it: another one in its place would expose Ana (R8). The proofs are
    real.
    """
    # Its times would tell that the files are copies, which is how this test cuts the power.
    monkeypatch.setattr(RollbackGuard, "seen", lambda guard: guard.path.read_bytes())
    machines = Machines.make(players, tmp_path)
    await machines.sit_down("canasta", rounds=1)
    ana = machines.all[0]
    for machine in machines.all:
        machine.disk = tmp_path / f"disk {machine.number}"
    await play_until_an_unlocking_is_sent(machines, ana)
    for machine in machines.all:
        machine.cut_power()
    sent = ana.said[-1]
    height = place_of(sent).height
    assert len(ana.entries()) < height, "it was lost"
    ana.said.clear()
    await machines.play(until=height + 2)
    assert ana.node is not None
    written = {entry for entry in ana.said if place_of(entry).height == height}
    for again in written:
        check_equivocation(ana.node.charter, sent, again)
    assert written == {sent}
    machines.check_consistent()


async def play_until_an_unlocking_is_sent(machines: Machines, by: Machine) -> None:
    """Play until then, when that machine dies, and the others are switched off."""

    def sends(point: str) -> bool:
        last = by.node.state.last if by.node else None
        if last is None or point != "before a send":
            return False
        is_own = last.writer == by.number and last.place == place_of(by.said[-1])
        return is_own and isinstance(last.content, UnlockContent)

    by.fate = sends
    async with trio.open_nursery() as nursery:
        for other in machines.all:
            if other is not by:
                nursery.start_soon(other.play)
        assert isinstance(await failure_of(by.play()), Killed)
        nursery.cancel_scope.cancel()
    by.fate = lambda _point: False
    for machine in machines.all:
        machine.node = None


def place_of(entry: bytes) -> Place:
    return entries.place_of(Entry.decode(entry).body)
