"""Taking up a table again, and giving that up."""

from typing import cast

import pytest
import trio
from trio.testing import MockClock

from p2p.storage.memberships import Membership
from p2p.table.changes import Progress
from p2p.table.node import Node
from p2p.table.resync import STATUS_SECONDS
from protocol.keys import LockKey
from tests.protocol.seeded import seeded
from tests.simulation.simulation import Simulation
from tests.simulation.tables import simulated_nodes, without_proofs


class LongRecord(Node):
    """A node whose record takes long; `done` counts its entries, and at the third `scope` ends."""

    def __init__(self, scope: trio.CancelScope) -> None:
        self.scope = scope
        self.done = 0
        self._restored = False

    def _restore(self, progress: Progress) -> None:
        for self.done in range(1, 1000):
            if self.done == 3:
                trio.from_thread.run_sync(self.scope.cancel)
                # The task hears of it when it waits for this thread again, as it does before this.
                trio.from_thread.run_sync(bool)
            progress(self.done, 1000)
        pytest.fail("it went on to the end")


async def test_who_leaves_does_not_wait_for_the_rest_of_the_record() -> None:
    """The thread that takes it up ends at the next entry."""
    with trio.CancelScope() as scope:
        node = LongRecord(scope)
        await node.restore()
    assert scope.cancelled_caught
    assert node.done == 3


async def test_who_waits_for_the_record_is_told_how_far_it_is() -> None:
    told: list[tuple[int, int]] = []
    node = LongRecord(trio.CancelScope())

    def enough(done: int, total: int) -> None:
        told.append((done, total))
        if len(told) == 2:
            raise LookupError

    with pytest.raises(LookupError):
        await node.restore(enough)
    assert told == [(1, 1000), (2, 1000)]


async def test_a_lock_of_a_deal_that_is_over_is_erased_at_the_next_start() -> None:
    """The machine died after the entry with which it was over."""
    with without_proofs(), simulated_nodes():
        simulation = Simulation(55)
        machine = simulation.machines[0]
        table_id = simulation.start.played.ring.state.table_id
        kept = machine.journal.secrets(table_id)
        machine.journal._secrets["lock/001000"] = LockKey.generate(seeded("a lock")).encode()
        node = simulation.node_for(machine, cast(Membership, machine.membership))
        await node.restore()
        assert machine.journal.secrets(table_id) == kept


async def test_who_waits_for_a_change_hears_that_a_node_has_caught_up(
    autojump_clock: MockClock,
) -> None:
    """A client would show for long that others are still waited for."""
    with without_proofs(), simulated_nodes():
        simulation = Simulation(55)
        machine = simulation.machines[0]
        node = simulation.node_for(machine, cast(Membership, machine.membership))
        await node.restore()
        progress = node.progress
        async with trio.open_nursery() as nursery:
            nursery.start_soon(node._write_all)
            for player in node.mesh.others:
                node.mesh.known.see(player, node.height)
            await trio.sleep(2 * STATUS_SECONDS)
            assert node.resync.done
            assert progress.is_set()
            nursery.cancel_scope.cancel()
