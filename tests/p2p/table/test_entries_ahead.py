"""Entries that come to a node before what they continue."""

from typing import cast

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from p2p.storage.memberships import Membership
from p2p.table.live_record import LiveRecord
from p2p.table.node import Node
from protocol.entries import CloseContent
from tests.simulation.simulation import Simulation
from tests.simulation.tables import simulated_nodes, without_proofs


class Table:
    """A node of a table of three that has the record up to `height`, and all that comes after."""

    def __init__(self) -> None:
        self.simulation = Simulation(28)
        self.height = self.simulation.start.height
        self.moments = self.simulation.start.played.moments

    async def node(self) -> Node:
        """That of a member from whom nothing is due."""
        due = self.moments[self.height].writer
        machine = self.simulation.machines[(due + 1) % 3]
        node = self.simulation.node_for(machine, cast(Membership, machine.membership))
        await node.restore()
        return node

    def entry(self, place: int) -> bytes:
        """The entry so many heights above the node's record."""
        return self.moments[self.height + place - 1].entry


async def test_an_entry_that_comes_early_waits_for_what_it_continues(
    autojump_clock: MockClock,
) -> None:
    with without_proofs(), simulated_nodes():
        table = Table()
        node = await table.node()
        assert not await node.carried(1, table.height + 3, table.entry(3))
        assert not await node.carried(2, table.height + 2, table.entry(2))
        assert node.height == table.height
        assert await node.carried(1, table.height + 1, table.entry(1))
        assert node.height == table.height + 3


@pytest.mark.parametrize("liar", [1, 2])
async def test_what_a_liar_carries_early_displaces_nothing_and_stops_nobody(
    autojump_clock: MockClock, liar: int
) -> None:
    """Neither before nor after what somebody honest has carried; and the link by which the entry
    before it comes is not to blame.
    """
    with without_proofs(), simulated_nodes():
        table = Table()
        node = await table.node()
        for carrier in (1, 2):
            entry = b"made up" if carrier == liar else table.entry(2)
            assert not await node.carried(carrier, table.height + 2, entry)
        assert await node.carried(1, table.height + 1, table.entry(1))
        assert node.height == table.height + 2
        assert node.exposed is None


async def test_what_is_far_ahead_is_not_kept(autojump_clock: MockClock) -> None:
    """A member could fill the memory with it."""
    with without_proofs(), simulated_nodes():
        table = Table()
        node = await table.node()
        for place in range(2, 1_000):
            assert not await node.carried(1, table.height + place, bytes(64))
        kept = {height - table.height for _, height in node._appender._ahead}
        assert kept == {*range(2, 9)}


async def test_an_entry_that_two_links_bring_at_once_is_compared_with_nothing(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second has waited for the first, and is no other one."""
    with without_proofs(), simulated_nodes():
        table = Table()
        node = await table.node()
        monkeypatch.setattr(LiveRecord, "judge", None)  # whoever compares calls it
        async with trio.open_nursery() as nursery:
            for carrier in (1, 2):
                nursery.start_soon(node.carried, carrier, table.height + 1, table.entry(1))
        assert node.height == table.height + 1


async def test_what_is_there_already_is_no_news(autojump_clock: MockClock) -> None:
    with without_proofs(), simulated_nodes():
        table = Table()
        node = await table.node()
        assert await node.carried(1, table.height + 1, table.entry(1))
        assert not await node.carried(1, table.height + 1, table.entry(1))
        assert not await node.carried(2, table.height, table.entry(0))
        assert node.height == table.height + 1


async def test_after_a_cheat_nothing_is_appended_that_had_come_before(
    autojump_clock: MockClock,
) -> None:
    """Neither what had come early nor what another link brings at the same time."""
    with without_proofs(), simulated_nodes():
        table = Table()
        node = await table.node()
        moment = table.moments[table.height + 1]
        cheat = moment.signed(CloseContent(0, (), last=False))
        for carrier, entry in ((1, cheat), (2, table.entry(2))):
            assert not await node.carried(carrier, table.height + 2, entry)
        assert await node.carried(1, table.height + 1, table.entry(1))
        assert node.exposed is not None
        assert (node.exposed.player, node.exposed.cause) == (moment.writer, "R9")
        assert node.height == table.height + 1
        assert not await node.carried(2, table.height + 2, table.entry(2))
        assert node.height == table.height + 1


async def test_what_waits_for_another_entry_is_not_appended_once_it_is_over(
    autojump_clock: MockClock,
) -> None:
    with without_proofs(), simulated_nodes():
        table = Table()
        node = await table.node()
        news: list[bool] = []

        async def carry() -> None:
            news.append(await node.carried(1, table.height + 1, table.entry(1)))

        async with trio.open_nursery() as nursery, node.advancing:
            nursery.start_soon(carry)
            await wait_all_tasks_blocked()
            node.live_record.dismissed = True
        assert news == [False]
        assert node.height == table.height
