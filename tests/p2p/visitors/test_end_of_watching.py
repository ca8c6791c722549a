"""The end of watching: when a record grows no more, links of spectators end.

They are sent the record's end before that (nodes.md, 3.4 and 3.6).
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, cast

import pytest
import trio
from attrs import define, field

from p2p.background_task import beside
from p2p.match.gallery import _LAST_SECONDS, STILL_HERE_SECONDS
from p2p.match.history import KeptHistory
from p2p.match.match_node import MatchNode
from p2p.transport.endpoint import hear, say
from p2p.transport.frames import LinkError
from p2p.transport.link import Link
from p2p.transport.spectator_messages import Watch
from protocol.table.messages import Carry
from tests.p2p.machines import Machine, Machines
from tests.p2p.visitors.watchers import at_rest, linked, somebody, table_of

pytestmark = pytest.mark.usefixtures("autojump_clock", "on_memory", "without_proofs")

SLOW_SECONDS = _LAST_SECONDS / 2


@define(eq=False)
class Ending:
    """The tables of a node that is `over` when a test says so, with this evidence.

    Parts are read slowly, if it is `slow`.
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
        """Stop the record, for somebody is exposed by so many entries."""
        self.over, self.evidence = True, evidence * ((self.node.height, b"two in one place"),)
        self.node.news.tell()

    async def close(self) -> float:
        """End the node's part, and return the seconds that it takes."""
        began = trio.current_time()
        await self.node._gallery.close()
        return trio.current_time() - began


@asynccontextmanager
async def ending(folder: Path) -> AsyncIterator[tuple[Machines, Ending]]:
    machines = await table_of(folder)
    async with at_rest(machines) as (node, _):
        table = Ending(node, node.tables.history)
        node.tables.history = cast(Any, table)
        node._gallery.over = lambda: table.over
        yield machines, table


@define(eq=False)
class Reader:
    """A spectator, and what they have been sent of the record."""

    heard: list[Carry] = field(factory=list)

    async def read(self, link: Link) -> None:
        """Until the link ends."""
        try:
            while True:
                message = await hear(link)
                if isinstance(message, Carry):
                    self.heard.append(message)
        except LinkError:
            pass


@asynccontextmanager
async def reading(machine: Machine, at: Machine, table: Ending) -> AsyncIterator[Reader]:
    """Watch there with the machine, which reads what it is sent."""
    reader = Reader()
    async with linked(machine, at) as link, beside(partial(reader.read, link)):
        await say(link, Watch(machine.name))
        while machine.key not in {one.key for one in table.spectators}:
            await table.progress.wait()
        yield reader


async def test_3_4_what_exposes_somebody_is_sent_at_the_end_and_once(tmp_path: Path) -> None:
    async with ending(tmp_path) as (machines, table):
        table.evidence = ((1, b"of an earlier dispute"),)
        async with reading(somebody(machines, tmp_path), machines.all[0], table) as reader:
            await trio.sleep(2 * STILL_HERE_SECONDS)
            entries = await table.history.parts(1, table.number)
            record = [Carry(height, entry) for height, entry in enumerate(entries, 1)]
            assert reader.heard == record
            table.end()
            await trio.sleep(2 * STILL_HERE_SECONDS)
            table.node.news.tell()
            await trio.sleep(2 * STILL_HERE_SECONDS)
            assert reader.heard[len(record) :] == [Carry(*one) for one in table.evidence]
            assert await table.close() == 0.0


async def test_3_6_each_spectator_has_the_end_before_the_links_end(tmp_path: Path) -> None:
    """One has all of it, for another one it is still being read."""
    async with ending(tmp_path) as (machines, table):
        ana = machines.all[0]
        eva, fay = somebody(machines, tmp_path), somebody(machines, tmp_path, 5)
        async with reading(eva, ana, table) as first:
            await trio.sleep(1)
            table.slow = True
            async with reading(fay, ana, table) as last:
                table.end()
                assert await table.close() == pytest.approx(SLOW_SECONDS)
                await trio.testing.wait_all_tasks_blocked()
                assert table.node._gallery.own == ()
        assert first.heard == last.heard
        assert len(first.heard) == table.height + 1


@pytest.mark.parametrize("evidence", [1, 100])
async def test_3_6_who_does_not_read_is_not_waited_for_at_the_end(
    tmp_path: Path, evidence: int
) -> None:
    """But for a moment: whether all is on its way to them, or more is to be sent."""
    async with ending(tmp_path) as (machines, table):
        ana = machines.all[0]
        eva = somebody(machines, tmp_path)
        async with reading(eva, ana, table):
            for wire in machines.network.wires:
                wire.is_full = wire.ends == (ana.address, eva.address)
            table.end(evidence)
            assert await table.close() == pytest.approx(_LAST_SECONDS)
            await trio.testing.wait_all_tasks_blocked()
            assert table.node._gallery.own == ()
