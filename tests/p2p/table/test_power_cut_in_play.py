"""Power cuts in a game, after which a player writes an entry again that was not synced.

In these tests, a peer hides the entry that it was sent before the power cut.
"""

from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path

import pytest
import trio

from engine.moves import Discard
from p2p.storage.rollback_guard import RollbackGuard
from p2p.table.mesh import Mesh
from p2p.table.node import Node
from p2p.transport.messages import Talk
from protocol import entries
from protocol.entries import Content, Entry, MoveContent, UnlockContent
from protocol.errors import Exposed
from protocol.place import Place
from protocol.reducer import check_equivocation
from protocol.table.events import Persisted, TableEvent
from protocol.table.tasks import Ready
from tests.p2p.machines import Killed, Machine, Machines, failure_of

pytestmark = pytest.mark.usefixtures("autojump_clock", "on_memory")


@pytest.mark.parametrize("players", [2, 3])
async def test_an_unlocking_lost_by_a_power_cut_is_written_again_in_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, players: int
) -> None:
    """Cut everybody's power when an unlocking by Ana is on its way; its receiver hides it.

    A different unlocking in its place would expose Ana (R8). The proofs are real.
    """
    # The files after the power cut are copies, which the times of the guard would show.
    monkeypatch.setattr(RollbackGuard, "seen", lambda guard: guard.path.read_bytes())
    machines = Machines.make(players, tmp_path)
    await machines.sit_down("canasta", rounds=1)
    ana = machines.all[0]
    for machine in machines.all:
        machine.disk = tmp_path / f"disk {machine.number}"
    await play_until_one_is_sent(machines, ana, lambda content: isinstance(content, UnlockContent))
    for machine in machines.all:
        machine.cut_power()
    sent = ana.said[-1]
    height = place_of(sent).height
    assert len(ana.entries()) < height, "the unlocking was not lost"
    ana.said.clear()
    await machines.play(until=height + 2)
    assert ana.node is not None
    written = {entry for entry in ana.said if place_of(entry).height == height}
    for again in written:
        check_equivocation(ana.node.charter, sent, again)
    assert written == {sent}
    machines.check_consistent()


async def send_before_persisting(node: Node, event: TableEvent[Talk]) -> Ready[Talk]:
    """Handle an event wrongly: send entries before persisting them."""
    ready = await Mesh._handle(node, event)
    for what in ready.persist:
        after = await send_before_persisting(node, Persisted(what))
        await node._persist(what)
        ready.is_news |= after.is_news
        ready.compute = ready.compute or after.compute
    return ready


@pytest.mark.parametrize("is_hasty", [False, True])
@pytest.mark.usefixtures("without_proofs")
async def test_a_move_is_persisted_before_it_is_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_hasty: bool
) -> None:
    """Prevent an attack: a peer hides a move that a power cut took from its writer.

    If the node sent before it persists, the writer would choose another move and be exposed (R8).
    """
    monkeypatch.setattr(RollbackGuard, "seen", lambda guard: guard.path.read_bytes())
    machines = Machines.make(2, tmp_path)
    await machines.sit_down("canasta", rounds=1)
    ana = machines.all[0]
    for machine in machines.all:
        machine.disk = tmp_path / f"disk {machine.number}"
    with pytest.MonkeyPatch.context() as patch:
        if is_hasty:
            patch.setattr(Node, "_handle", send_before_persisting)
        await play_until_one_is_sent(machines, ana, is_discard)
    for machine in machines.all:
        machine.cut_power()
    sent = ana.said[-1]
    height = place_of(sent).height
    assert (len(ana.entries()) < height) == is_hasty
    ana.said.clear()
    await machines.play(until=height + 2)
    assert ana.node is not None
    written = {entry for entry in ana.said if place_of(entry).height == height}
    with pytest.raises(Exposed, match="two different entries") if is_hasty else nullcontext():
        for again in written:
            check_equivocation(ana.node.charter, sent, again)


def is_discard(content: Content) -> bool:
    """Return True for a discard: after a restart, a player hardly chooses the same one again."""
    return isinstance(content, MoveContent) and isinstance(content.move, Discard)


async def play_until_one_is_sent(
    machines: Machines, by: Machine, is_wanted: Callable[[Content], bool]
) -> None:
    """Play until `by` sends an entry that `is_wanted`, and dies; then switch the others off."""

    def sends(point: str) -> bool:
        last = by.node.state.last if by.node else None
        if last is None or point != "before a send":
            return False
        is_own = last.writer == by.number and last.place == place_of(by.said[-1])
        return is_own and is_wanted(last.content)

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
