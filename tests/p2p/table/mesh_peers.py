"""A mesh of three members, and what comes over its links: Ana has it, Bruno is at the other end."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import trio
from attrs import define, evolve, field

from engine.games import game_named
from p2p.discovery.address_book import AddressBook
from p2p.storage.identity import Identity
from p2p.table.asides import AsideCode, Asides
from p2p.table.mesh import Mesh
from p2p.transport.endpoint import Caller, Endpoint, hear, say
from p2p.transport.link import PEER_FAULTS, Link
from p2p.transport.messages import (
    Acknowledgement,
    Agreed,
    Carry,
    Hello,
    Message,
    Status,
    Talk,
    unpack,
)
from protocol.charter import Charter, Member
from protocol.errors import Unattributable
from tests.p2p.memory_links import memory_link_pair

ANA, BRUNO, CARLA, EVE = (Identity.generate() for _ in range(4))
CARLAS = 2  # the number of the member who writes what others pass on
GAME = game_named("canasta")
MEMBERS = tuple(
    Member(identity.public, name, bytes(32))
    for identity, name in ((ANA, "Ana"), (BRUNO, "Bruno"), (CARLA, "Carla"))
)


@define(eq=False)
class FakeTable:
    """A record of which the entries are their own heads."""

    record: list[bytes] = field(factory=list)
    came: list[tuple[int, bytes]] = field(factory=list)
    evidence: tuple[tuple[int, bytes], ...] = ()
    charter: Charter = field(factory=lambda: Charter(GAME, GAME.options(), MEMBERS))
    table_id: bytes = bytes(32)
    complete: bool = False

    @property
    def height(self) -> int:
        return len(self.record)

    def greeting(self) -> Agreed:
        return Agreed(b"charter")

    def head_at(self, height: int) -> bytes:
        return self.record[height - 1] if height else self.table_id

    async def entries(self, since: int, most: int) -> Sequence[bytes]:
        return self.record[since - 1 : since - 1 + most]

    talk: tuple[Talk, ...] = ()

    async def on_talk(self, _player: int, _talk: Talk, /) -> bool:
        return False

    async def carried(self, _player: int, height: int, entry: bytes, /) -> bool:
        self.came.append((height, entry))
        if entry == b"bad":
            raise Unattributable("R3", "bad")
        return False


def entry(number: int, branch: int = 0) -> bytes:
    return bytes([branch]) * 28 + number.to_bytes(4, "big")


def record(length: int, branch: int = 0) -> list[bytes]:
    return [entry(number, branch) for number in range(1, length + 1)]


def acknowledged(who: Identity, height: int, head: bytes) -> Acknowledgement:
    return Acknowledgement.make(bytes(32), height, head, who.sign)


def status(height: int, head: bytes, **others: tuple[int, Acknowledgement]) -> Status:
    """Return Bruno's message on how far they are."""
    return Status(acknowledged(BRUNO, height, head), tuple(others.values()))


def mesh_of(table: FakeTable) -> Mesh:
    """Return the mesh of player 0."""

    def say(code: AsideCode) -> None:
        mesh.say_aside(code)

    asides = Asides(0, say, lambda: table.complete)
    mesh = Mesh(Endpoint(ANA), table, 0, AddressBook(), asides)
    return mesh


@asynccontextmanager
async def attended(table: FakeTable, who: Identity = BRUNO) -> AsyncIterator[tuple[Mesh, Link]]:
    """Ana's mesh, and the other end of a link that somebody has made to it."""
    mesh = mesh_of(table)
    async with memory_link_pair(who, ANA) as (theirs, ours), trio.open_nursery() as nursery:

        async def serve() -> None:
            try:
                await mesh.serve(Caller(ours, Hello(table.table_id, 7)))
            except PEER_FAULTS:
                pass
            finally:
                await ours.aclose()

        nursery.start_soon(serve)
        nursery.start_soon(mesh._beat)
        yield mesh, theirs
        nursery.cancel_scope.cancel()


async def heard_until_silence(link: Link, seconds: float = 0.5) -> list[Message]:
    messages: list[Message] = []
    with trio.move_on_after(seconds):
        while True:
            messages.append(await hear(link))
    return messages


def carried(messages: Sequence[Message]) -> list[int]:
    return [message.height for message in messages if isinstance(message, Carry)]


@asynccontextmanager
async def at_three(table: FakeTable, *direct: int) -> AsyncIterator[tuple[Mesh, Link]]:
    """Connect a node and a member who have the same three entries.

    The member gets entries from those `direct`; the link is the member's.
    """
    async with attended(table) as (mesh, link), trio.open_nursery() as nursery:
        nursery.start_soon(mesh._confirm_and_relay)
        await say(link, evolve(status(3, table.head_at(3)), direct=direct))
        await heard_until_silence(link)
        yield mesh, link
        nursery.cancel_scope.cancel()


async def grow(table: FakeTable, mesh: Mesh, writer: int) -> int:
    """Another entry, of that member; its height."""
    table.record.append(entry(table.height + 1))
    await mesh.advanced(writer)
    return table.height


@define(eq=False)
class GrowingTable(FakeTable):
    """Takes what comes next."""

    mesh: Mesh | None = None

    async def carried(self, player: int, height: int, entry: bytes, /) -> bool:
        if height != self.height + 1:
            return False
        self.record.append(entry)
        assert self.mesh is not None
        await self.mesh.advanced(int(entry[0]))  # the branch stands for the writer
        return True


@define
class FakeLink:
    """Notes what is sent, or fails."""

    said: list[Message] = field(factory=list)
    error: Exception | None = None

    def send_nowait(self, frame: bytes) -> None:
        if self.error is not None:
            raise self.error
        self.said.append(unpack(frame))
