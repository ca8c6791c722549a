"""Machines that watch tables of others, and matches whose messages a test sends."""

from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import trio
from attrs import define

from client.bots.runner import before_draws
from p2p.match.followed_match import FollowedMatch
from p2p.match.match_node import MatchNode
from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.identity import Identity
from p2p.storage.journal import Journal
from p2p.storage.memberships import Membership
from p2p.transport.endpoint import LOBBY, Declined, hear, say
from p2p.transport.link import Link
from p2p.transport.messages import Agreed, Goodbye, Message
from p2p.transport.spectator_messages import Watch
from protocol.table.messages import Carry
from tests.p2p.machines import PORT, Machine, Machines, failure_of
from tests.p2p.memory_network import memory_link_pair
from tests.protocol.played import Played

SOON = 120
"""The seconds within which cards are dealt, or a node tells who watches there."""


@define
class WatchedTable(Machines):
    """The machines of two players, Ana and Bruno, and two machines without a seat."""

    eva: Machine
    fay: Machine

    @property
    def ana(self) -> Machine:
        return self.all[0]

    @property
    def bruno(self) -> Machine:
        return self.all[1]


async def table_of(folder: Path, *, spectators: bool = True) -> WatchedTable:
    """Seat two at a table of Canastra, which admits spectators unless told otherwise.

    The players take a second for each turn.
    """
    made = Machines.make(2, folder)
    eva, fay = somebody(made, folder), somebody(made, folder, 5)
    machines = WatchedTable(made.network, made.all, eva, fay)
    for machine in machines.all:
        machine.pause = before_draws(1.0)
    await machines.sit_down("canastra", spectators=spectators)
    return machines


def somebody(machines: Machines, folder: Path, number: int = 4) -> Machine:
    """Return a machine that has no seat at the table."""
    return Machine(machines.network, number, folder / f"somebody{number}")


async def node_at(machine: Machine, height: int) -> MatchNode:
    """Return the machine's node, once its record has `height` entries."""
    while machine.node is None:
        await trio.sleep(0.01)
    while machine.height < height:
        await machine.node.progress.wait()
    return machine.node


@asynccontextmanager
async def watching(machine: Machine, at: Machine, name: str = "") -> AsyncIterator[FollowedMatch]:
    """Let the machine watch at a node during the block, which begins when the node lists it.

    The block raises the error with which watching ends, if it ends early.
    """
    async with machine.process() as (endpoint, _):
        with Journal.open(machine.home / "watched" / JOURNAL_FILE) as journal:
            match = FollowedMatch(journal, machine.identity.public, name or machine.name)

            async def follow() -> None:
                async with endpoint.dial(at.address, PORT, LOBBY) as link:
                    await match.follow(link)

            async with trio.open_nursery() as nursery:
                nursery.start_soon(follow)
                with trio.fail_after(SOON):
                    while not match.begun or not match.spectators:
                        await match.progress.wait()
                yield match
                nursery.cancel_scope.cancel()


@asynccontextmanager
async def linked(machine: Machine, at: Machine, table_id: bytes = LOBBY) -> AsyncIterator[Link]:
    """Open a link from the machine to a node, without sending anything."""
    async with (
        machine.process() as (endpoint, _),
        endpoint.dial(at.address, PORT, table_id) as link,
    ):
        yield link


async def begin_to_watch(machine: Machine, link: Link, node: MatchNode) -> None:
    """Ask to watch at that node, and wait until the node lists the spectator."""
    await say(link, Watch(machine.name))
    with trio.fail_after(SOON):
        while machine.key not in {one.key for one in node.spectators}:
            await node.progress.wait()


@asynccontextmanager
async def at_rest(machines: Machines) -> AsyncIterator[tuple[MatchNode, ...]]:
    """Run the nodes of a table; the block begins when a move is due, which nobody makes."""
    async with trio.open_nursery() as nursery:

        async def run(machine: Machine) -> None:
            async with machine.process() as (endpoint, journal):
                (record,) = journal.tables()
                machine.node = MatchNode(endpoint, journal, Membership.recalled(journal, record))
                await machine.node.run()

        for machine in machines.all:
            nursery.start_soon(run, machine)
        nodes = []
        with trio.fail_after(SOON):
            for machine in machines.all:
                while machine.node is None:
                    await trio.sleep(0.01)
                while machine.node.state.match.mover is None:
                    await machine.node.progress.wait()
                nodes.append(machine.node)
        yield tuple(nodes)
        nursery.cancel_scope.cancel()


async def ended(link: Link) -> Exception:
    """Read until the link ends, which must be soon, and return its error."""

    async def read() -> None:
        while True:
            await hear(link)

    with trio.fail_after(SOON):
        return await failure_of(read())


async def declined(
    machine: Machine, at: Machine, name: str = "", table_id: bytes = b"", about: bytes = LOBBY
) -> int:
    """Ask to watch, and return the reason for the refusal."""
    async with linked(machine, at, about) as link:
        await say(link, Watch(name or machine.name, table_id))
        error = await failure_of(hear(link))
    assert isinstance(error, Declined)
    return error.reason


# -- Matches for Eva, whose messages a test sends in the name of Ana's node

ANA, EVA = Identity.generate(), Identity.generate()


def greeting(one: Played) -> Message:
    return Agreed(one.table.charter.encode())


def carried(entries: Sequence[bytes], first: int = 1) -> list[Message]:
    return [Carry(height, entry) for height, entry in enumerate(entries, first)]


@contextmanager
def match_in(folder: Path) -> Iterator[FollowedMatch]:
    """Open a match for Eva to follow, with Eva's journal in that folder."""
    with Journal.open(folder / "watched" / JOURNAL_FILE) as journal:
        yield FollowedMatch(journal, EVA.public, "Eva")


async def shown(folder: Path, *messages: Message) -> tuple[FollowedMatch, Exception | None, bytes]:
    """Send Eva these messages; return the match, the error with which it ended, and the record."""
    with match_in(folder) as match:
        error: Exception | None = None
        async with memory_link_pair(EVA, ANA) as (link, node):
            for message in (*messages, Goodbye(1)):
                await say(node, message)
            try:
                await match.follow(link)
            except Exception as raised:
                error = raised
            assert await hear(node) == Watch("Eva")
        return match, error, b"".join(match.record()) if match.begun else b""
