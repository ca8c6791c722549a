"""Links and listeners in memory, for tests: the real TLS and frames, no sockets, no waiting."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import trio
from attrs import field, frozen
from trio.testing import memory_stream_pair

from p2p.background_task import beside
from p2p.storage.identity import Identity
from p2p.transport.link import Limits, Link, open_link
from p2p.transport.tls import client_context, server_context

LIMITS = Limits()


@asynccontextmanager
async def memory_link_pair(
    client: Identity,
    server: Identity,
    *,
    limits: Limits = LIMITS,
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
            limits=limits,
            address="memory",
        ) as link:
            await ready.send(link)
            await trio.sleep_forever()

    async with beside(serve), memory_link(near, client, server, limits=limits) as link:
        yield link, await when_ready.receive()


@asynccontextmanager
async def memory_link(
    stream: trio.abc.Stream, client: Identity, server: Identity, *, limits: Limits = LIMITS
) -> AsyncIterator[Link]:
    """Open the client's end of a link over `stream`, as `connect` makes it over a socket."""
    async with open_link(
        stream,
        client_context(client),
        server_side=False,
        admit=lambda peer: peer == server.public,
        limits=limits,
        address="memory",
    ) as link:
        yield link


@frozen
class MemoryListener(trio.abc.Listener[trio.abc.Stream]):
    """A listener for `serve_links`, in the place of a port."""

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
