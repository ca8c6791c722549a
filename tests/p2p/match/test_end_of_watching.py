"""The end of watching: spectators' links end when the record no longer grows.

Before that, they are sent the end of the record (nodes.md, 3.4 and 3.6).
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, cast

import pytest
import trio
from attrs import define

from p2p.background_task import beside
from p2p.match.history import KeptHistory
from p2p.match.match_node import MatchNode
from p2p.match.spectators import _LAST_SECONDS, STILL_HERE_SECONDS
from p2p.refusals import Reason
from p2p.transport.endpoint import Declined, hear
from p2p.transport.frames import LinkError
from p2p.transport.spectator_messages import Spectator
from protocol.errors import Refused
from protocol.table.messages import Carry
from tests.p2p.machines import Machine
from tests.p2p.match.watchers import (
    WatchedTable,
    at_rest,
    begin_to_watch,
    declined,
    ended,
    linked,
    table_of,
    watching,
)

pytestmark = pytest.mark.usefixtures("autojump_clock", "on_memory", "without_proofs")

SLOW_SECONDS = _LAST_SECONDS / 2


@define(eq=False)
class Ending:
    """The history of a node whose record is `over`, and has `evidence`, when a test says so.

    Its parts are read slowly if it is `slow`.
    """

    node: MatchNode
    history: KeptHistory
    over: bool = False
    slow: bool = False
    evidence: tuple[tuple[int, bytes], ...] = ()

    async def parts(self, since: int, most: int) -> Sequence[bytes]:
        await trio.sleep(SLOW_SECONDS if self.slow and most > 1 else 0.0)
        return await self.history.parts(since, most)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.history if hasattr(self.history, name) else self.node, name)

    def end(self, evidence: int = 1) -> None:
        """Stop the record, as if a player were exposed with `evidence` entries."""
        self.over, self.evidence = True, evidence * ((self.node.height, b"two in one place"),)
        self.node.news.tell()

    async def close(self) -> float:
        """Close the node's gallery, and return the seconds that it takes."""
        began = trio.current_time()
        await self.node._gallery.close()
        return trio.current_time() - began


@asynccontextmanager
async def ending(folder: Path) -> AsyncIterator[tuple[WatchedTable, Ending]]:
    now = await table_of(folder)
    async with at_rest(now) as (node, _):
        table = Ending(node, node.tables.history)
        node.tables.history = cast(Any, table)
        node._gallery.over = lambda: table.over
        yield now, table


@asynccontextmanager
async def reading(machine: Machine, at: Machine, table: Ending) -> AsyncIterator[list[Carry]]:
    """Let the machine watch at that node during the block.

    Yield a list of the parts of the record that come.
    """
    heard: list[Carry] = []

    async def read() -> None:
        with suppress(LinkError):
            while True:
                message = await hear(link)
                if isinstance(message, Carry):
                    heard.append(message)

    async with linked(machine, at) as link, beside(read):
        await begin_to_watch(machine, link, table.node)
        yield heard


async def test_3_4_evidence_is_sent_once_and_at_the_end(tmp_path: Path) -> None:
    async with ending(tmp_path) as (machines, table):
        table.evidence = ((1, b"of an earlier dispute"),)
        async with reading(machines.eva, machines.ana, table) as heard:
            await trio.sleep(2 * STILL_HERE_SECONDS)
            entries = await table.history.parts(1, table.number)
            record = [Carry(height, entry) for height, entry in enumerate(entries, 1)]
            assert heard == record
            table.end()
            await trio.sleep(2 * STILL_HERE_SECONDS)
            table.node.news.tell()
            await trio.sleep(2 * STILL_HERE_SECONDS)
            assert heard[len(record) :] == [Carry(*one) for one in table.evidence]
            assert await table.close() == 0.0


async def test_3_6_each_spectator_is_sent_the_end_before_the_links_end(tmp_path: Path) -> None:
    """One spectator already has the end; for the other one it is still being read."""
    async with ending(tmp_path) as (machines, table):
        async with reading(machines.eva, machines.ana, table) as first:
            await trio.sleep(1)
            table.slow = True
            async with reading(machines.fay, machines.ana, table) as last:
                table.end()
                assert await table.close() == pytest.approx(SLOW_SECONDS)
                await trio.testing.wait_all_tasks_blocked()
                assert table.node._gallery.own == ()
        assert first == last
        assert len(first) == table.height + 1


@pytest.mark.parametrize("evidence", [1, 100])
async def test_3_6_nobody_waits_for_a_spectator_who_does_not_read(
    tmp_path: Path, evidence: int
) -> None:
    """A node waits only a moment, whether or not everything is already on its way."""
    async with ending(tmp_path) as (machines, table):
        eva, ana = machines.eva, machines.ana
        async with reading(eva, ana, table):
            machines.network.fill(eva.address, ana.address)
            table.end(evidence)
            assert await table.close() == pytest.approx(_LAST_SECONDS)
            await trio.testing.wait_all_tasks_blocked()
            assert table.node._gallery.own == ()


# -- Each player can end the watching of a spectator, at all nodes (nodes.md, 3.9)

TOLD_SECONDS = 3
"""The seconds within which a member has told the others."""


@pytest.mark.parametrize("by", [0, 1])
async def test_3_9_a_barred_spectator_must_go_and_is_refused_everywhere(
    tmp_path: Path, by: int
) -> None:
    """Only spectators can be barred, and the others go on watching."""
    now = await table_of(tmp_path)
    async with at_rest(now) as nodes, watching(now.fay, now.bruno, "Fay") as other:
        await other.is_noted()
        for key in (now.eva.key, now.bruno.key, now.ana.key):
            with pytest.raises(Refused, match="Nobody with that key"):
                nodes[by].bar_spectator(key)
        async with linked(now.eva, now.ana) as link:
            await begin_to_watch(now.eva, link, nodes[0])
            await trio.sleep(TOLD_SECONDS)
            progress = nodes[by].progress
            nodes[by].bar_spectator(now.eva.key)
            assert progress.is_set()  # the player who bars the spectator sees the change at once
            with trio.fail_after(TOLD_SECONDS):
                error = await ended(link)
        assert isinstance(error, Declined)
        assert error.reason == Reason.SPECTATOR_BARRED
        await trio.sleep(TOLD_SECONDS)
        for machine, node in zip(now.all, nodes, strict=True):
            assert node.spectators == (Spectator(now.fay.key, "Fay"),)
            assert (node.barred_by(now.eva.key), node.barred_by(now.fay.key)) == (by, None)
            assert await declined(now.eva, machine) == Reason.SPECTATOR_BARRED
            assert node.node.peers.linked  # the players stay linked
        assert other.match.linked


async def test_3_9_a_barred_spectator_who_does_not_read_must_go_too(tmp_path: Path) -> None:
    now = await table_of(tmp_path)
    async with at_rest(now) as (node, _), linked(now.eva, now.ana) as link:
        await begin_to_watch(now.eva, link, node)
        now.network.fill(now.eva.address, now.ana.address)
        node.bar_spectator(now.eva.key)
        with trio.fail_after(TOLD_SECONDS):
            while node.spectators:
                await node.progress.wait()
            await ended(link)


async def test_3_9_a_member_bars_players_and_they_play_on(tmp_path: Path) -> None:
    now = await table_of(tmp_path)
    async with at_rest(now) as (ana, bruno):
        bruno._gallery._barred = dict.fromkeys(machine.key for machine in now.all)
        await trio.sleep(TOLD_SECONDS)
        assert ana.barred_by(now.ana.key) == 1
        assert ana.node.peers.linked
        assert bruno.node.peers.linked
