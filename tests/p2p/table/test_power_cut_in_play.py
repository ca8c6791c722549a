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
from tests.p2p.machines import Killed, Machines, failure_of

pytestmark = pytest.mark.usefixtures("autojump_clock", "on_memory")


async def seated(players: int, folder: Path, patch: pytest.MonkeyPatch) -> Machines:
    """Seat machines whose files can be restored as they were last synced."""
    # The files after the power cut are copies, which the times of the guard would show.
    patch.setattr(RollbackGuard, "seen", lambda guard: guard.path.read_bytes())
    machines = Machines.make(players, folder)
    await machines.sit_down("canasta", rounds=1)
    for machine in machines.all:
        machine.disk = folder / f"disk {machine.number}"
    return machines


async def cut_power(machines: Machines, is_wanted: Callable[[Content], bool]) -> tuple[bytes, bool]:
    """Play until Ana is about to send an entry that `is_wanted`, and cut everybody's power.

    Return that entry, and True if Ana's journal has lost it.
    """
    ana, *others = machines.all

    def sends(point: str) -> bool:
        last = ana.node.state.last if ana.node else None
        if last is None or point != "before a send":
            return False
        is_own = last.writer == 0 and last.place == place_of(ana.said[-1])
        return is_own and is_wanted(last.content)

    ana.fate = sends
    async with trio.open_nursery() as nursery:
        for other in others:
            nursery.start_soon(other.play)
        assert isinstance(await failure_of(ana.play()), Killed)
        nursery.cancel_scope.cancel()
    ana.fate = lambda _point: False
    for machine in machines.all:
        machine.node = None
        machine.cut_power()
    return ana.said[-1], len(ana.entries()) < place_of(ana.said[-1]).height


async def written_again(machines: Machines, sent: bytes) -> set[bytes]:
    """Play on, and return what Ana signs in the place of the entry `sent`.

    Raises Exposed if this contradicts that entry.
    """
    ana, height = machines.all[0], place_of(sent).height
    ana.said.clear()
    await machines.play(until=height + 2)
    assert ana.node is not None
    written = {entry for entry in ana.said if place_of(entry).height == height}
    for again in written:
        check_equivocation(ana.node.charter, sent, again)
    return written


@pytest.mark.parametrize("players", [2, 3])
async def test_an_unlocking_lost_by_a_power_cut_is_written_again_in_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, players: int
) -> None:
    """A different unlocking in its place would expose Ana (R8). The proofs are real."""
    machines = await seated(players, tmp_path, monkeypatch)
    sent, is_lost = await cut_power(machines, lambda content: isinstance(content, UnlockContent))
    assert is_lost
    assert await written_again(machines, sent) == {sent}
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


def is_discard(content: Content) -> bool:
    """Return True for a discard: after a restart, a player hardly chooses the same one again."""
    return isinstance(content, MoveContent) and isinstance(content.move, Discard)


@pytest.mark.parametrize("is_hasty", [False, True])
@pytest.mark.usefixtures("without_proofs")
async def test_a_move_is_persisted_before_it_is_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_hasty: bool
) -> None:
    """A peer cannot expose a player by hiding a move that a power cut took from its writer.

    If the node sent before it persists, the writer would choose another move and be exposed (R8).
    """
    machines = await seated(2, tmp_path, monkeypatch)
    with pytest.MonkeyPatch.context() as patch:
        if is_hasty:
            patch.setattr(Node, "_handle", send_before_persisting)
        sent, is_lost = await cut_power(machines, is_discard)
    assert is_lost == is_hasty
    with pytest.raises(Exposed, match="two different entries") if is_hasty else nullcontext():
        await written_again(machines, sent)


def place_of(entry: bytes) -> Place:
    return entries.place_of(Entry.decode(entry).body)
