"""Ana's mesh at a table of three, with links in memory, usually to Bruno."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any

import trio
from attrs import define, field

from engine.games import game_named
from p2p.discovery.address_book import AddressBook
from p2p.storage.identity import Identity
from p2p.table.asides import AsideCode, Asides
from p2p.table.mesh import Mesh
from p2p.transport.endpoint import Caller, Endpoint, hear
from p2p.transport.link import PEER_FAULTS, Link
from p2p.transport.messages import Hello, Message, Talk
from protocol.charter import Charter, Member
from protocol.errors import Unattributable
from protocol.table.digest_chain import Chain
from protocol.table.events import Grown
from protocol.table.messages import Acknowledgement, Carry, Status
from tests.p2p.memory_network import memory_link_pair

ANA, BRUNO, CARLA, EVE = (Identity.generate() for _ in range(4))
BRUNOS, CARLAS = 1, 2
GAME = game_named("canasta")
MEMBERS = tuple(
    Member(identity.public, name, bytes(32))
    for identity, name in ((ANA, "Ana"), (BRUNO, "Bruno"), (CARLA, "Carla"))
)


def entry_of(number: int) -> bytes:
    return bytes(28) + number.to_bytes(4, "big")


class GrowingMesh(Mesh):
    """A mesh that appends a carried entry of the next height; its carrier counts as its writer."""

    heard: list[tuple[int, Talk]]

    def on_talk(self, player: int, talk: Talk) -> None:
        self.heard.append((player, talk))

    async def carried(self, player: int, height: int, entry: bytes) -> bool:
        if entry == b"bad":
            raise Unattributable("R3", "bad")
        if height != self.chain.height + 1:
            return False
        await self.grow(player)
        return True

    async def grow(self, writer: int, awaited: int | None = None) -> None:
        """Append an entry written by that member."""
        number = self.chain.height + 1
        self.chain.append(entry_of(number), entry_of(number))
        await self._handle(Grown(writer, awaited))


@define(eq=False)
class Table:
    """Ana's mesh with a fake record: each entry is its own head, and nothing is judged."""

    length: int = 3
    talk: tuple[Talk, ...] = ()
    heard: list[tuple[int, Talk]] = field(factory=list)
    is_complete: bool = False
    read: list[tuple[int, int]] = field(factory=list)
    """Each reading from the disk: the first height, and the most entries to read."""
    mesh: GrowingMesh = field(init=False)

    def __attrs_post_init__(self) -> None:
        charter = Charter(GAME, GAME.options(), MEMBERS)
        chain = Chain(charter, [bytes(32)])
        journal: Any = SimpleNamespace(entries=self._entries)
        signed: Any = SimpleNamespace(encode=lambda: b"charter")
        self.mesh = GrowingMesh(
            Endpoint(ANA),
            journal,
            signed,
            chain,
            0,
            AddressBook(),
            Asides(0, self._say, lambda: self.is_complete),
            lambda: self.talk,
        )
        self.mesh.heard = self.heard
        for number in range(1, self.length + 1):
            chain.append(entry_of(number), entry_of(number))

    def _entries(self, _table_id: bytes, since: int, most: int) -> tuple[bytes, ...]:
        self.read.append((since, most))
        return tuple(map(entry_of, range(since, min(since + most, self.mesh.chain.height + 1))))

    def _say(self, code: AsideCode) -> None:
        self.mesh.say_aside(code)


def status(height: int) -> Status:
    """Return a status of Bruno's record at that height."""
    return Status(Acknowledgement.make(bytes(32), height, entry_of(height), BRUNO.sign))


@asynccontextmanager
async def linked(table: Table, who: Identity = BRUNO) -> AsyncIterator[Link]:
    """Yield the other end of a link to the mesh, opened by `who`."""
    async with memory_link_pair(who, ANA) as (theirs, ours), trio.open_nursery() as nursery:

        async def serve() -> None:
            try:
                await table.mesh.serve(Caller(ours, Hello(bytes(32), 7)))
            except PEER_FAULTS:
                pass
            finally:
                await ours.aclose()

        nursery.start_soon(serve)
        nursery.start_soon(table.mesh._keep_time)
        nursery.start_soon(table.mesh._look_for_news)
        yield theirs
        nursery.cancel_scope.cancel()


async def heard_until_silence(link: Link, seconds: float = 0.5) -> list[Message]:
    messages: list[Message] = []
    with trio.move_on_after(seconds):
        while True:
            messages.append(await hear(link))
    return messages


def carried(messages: Sequence[Message]) -> list[int]:
    return [message.height for message in messages if isinstance(message, Carry)]
