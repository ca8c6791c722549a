"""A network in memory, where machines listen at addresses and can be cut off from each other."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Protocol

import trio
from attrs import define, field, frozen
from trio.testing import memory_stream_pair

from p2p.background_task import beside
from p2p.storage.identity import Identity
from p2p.transport.link import Limits, Link, open_link
from p2p.transport.tls import client_context, server_context


class MachineOnWire(Protocol):
    """A machine at the end of a wire. A `dead` machine neither sends nor receives."""

    @property
    def address(self) -> str: ...

    @property
    def dead(self) -> bool: ...

    @property
    def network(self) -> "Network": ...

    def says(self, frame: bytes) -> None: ...

    def has_sent(self) -> None: ...


@define(eq=False)
class Network:
    """A network: the listener at each address, and the pairs of addresses that cannot connect."""

    listeners: dict[str, trio.MemorySendChannel[trio.abc.Stream]] = field(factory=dict)
    apart: set[frozenset[str]] = field(factory=set)
    wires: list["Wire"] = field(factory=list)

    def part(self, *addresses: str) -> None:
        """Cut the connections between any two of these addresses, and refuse new ones."""
        self.apart |= {frozenset({a, b}) for a in addresses for b in addresses if a != b}
        for wire in self.wires:
            if frozenset(wire.ends) in self.apart:
                wire.cut = True

    def fill(self, reader: str = "", other: str = "") -> None:
        """Block sending from `other` to `reader`, or by default on all wires."""
        for wire in self.wires:
            wire.is_full = not reader or wire.ends == (other, reader)

    def heal(self) -> None:
        self.apart.clear()

    async def connect(self, machine: MachineOnWire, host: str) -> trio.abc.Stream:
        await trio.lowlevel.checkpoint()
        if host not in self.listeners or frozenset({machine.address, host}) in self.apart:
            raise OSError("no route to host")
        near, far = memory_stream_pair()
        ends = (machine.address, host)
        wires = Wire(near, ends, machine), Wire(far, ends[::-1], None)
        self.wires += wires
        self.listeners[host].send_nowait(wires[1])
        return wires[0]


class Wire(trio.abc.Stream):
    """One end of a connection; `ends` are the addresses of this end and of the other."""

    def __init__(
        self, stream: trio.abc.Stream, ends: tuple[str, str], machine: MachineOnWire | None
    ) -> None:
        self.stream, self.ends, self.machine = stream, ends, machine
        self.cut = False
        self.is_full = False
        """True if nobody reads at the other end, so that sending blocks."""

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        self._check()
        if self.is_full:
            await trio.sleep_forever()
        await self.stream.send_all(data)
        if self.machine is not None:
            self.machine.has_sent()

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        self._check()
        data = bytes(await self.stream.receive_some(max_bytes))
        self._check()
        return data

    async def wait_send_all_might_not_block(self) -> None:
        await self.stream.wait_send_all_might_not_block()

    async def aclose(self) -> None:
        await self.stream.aclose()

    def _check(self) -> None:
        if self.cut or (self.machine is not None and self.machine.dead):
            raise trio.BrokenResourceError


class WireListener(trio.abc.Listener[trio.abc.Stream]):
    """A listener at the address of a machine."""

    def __init__(self, machine: MachineOnWire) -> None:
        sender, self._receiver = trio.open_memory_channel[trio.abc.Stream](100)
        machine.network.listeners[machine.address] = sender
        self._machine = machine

    async def accept(self) -> trio.abc.Stream:
        wire = await self._receiver.receive()
        assert isinstance(wire, Wire)
        wire.machine = self._machine
        return wire

    async def aclose(self) -> None:
        await self._receiver.aclose()


# -- Links and listeners in memory: the real TLS and frames, no sockets, no waiting


@asynccontextmanager
async def memory_link_pair(
    client: Identity,
    server: Identity,
    streams: tuple[trio.abc.Stream, trio.abc.Stream] | None = None,
) -> AsyncIterator[tuple[Link, Link]]:
    """Open the two ends of one link for the block: the client's, then the server's."""
    near, far = streams or memory_stream_pair()
    ready, when_ready = trio.open_memory_channel[Link](1)

    async def serve() -> None:
        async with open_link(
            far,
            server_context(server),
            server_side=True,
            admit=lambda peer: peer == client.public,
            limits=Limits(),
            address="memory",
        ) as link:
            await ready.send(link)
            await trio.sleep_forever()

    async with beside(serve), memory_link(near, client, server) as link:
        yield link, await when_ready.receive()


@asynccontextmanager
async def memory_link(
    stream: trio.abc.Stream, client: Identity, server: Identity
) -> AsyncIterator[Link]:
    """Open the client's end of a link over `stream`, as `connect` does over a socket."""
    async with open_link(
        stream,
        client_context(client),
        server_side=False,
        admit=lambda peer: peer == server.public,
        limits=Limits(),
        address="memory",
    ) as link:
        yield link


async def echoes(link: Link, said: bytes = b"hello") -> bool:
    """Return True if the other end answers with the same frame."""
    await link.send(said)
    return await link.receive() == said


@frozen
class MemoryListener(trio.abc.Listener[trio.abc.Stream]):
    """A listener for `serve_links`, instead of a port."""

    _callers: tuple[
        trio.MemorySendChannel[trio.abc.Stream], trio.MemoryReceiveChannel[trio.abc.Stream]
    ] = field(factory=lambda: trio.open_memory_channel[trio.abc.Stream](100), init=False)

    def call(self) -> trio.abc.Stream:
        """Return the caller's end of a new connection."""
        near, far = memory_stream_pair()
        self._callers[0].send_nowait(far)
        return near

    async def accept(self) -> trio.abc.Stream:
        return await self._callers[1].receive()

    async def aclose(self) -> None:
        await self._callers[1].aclose()
