"""The endpoint of a node: it listens, and brings every incoming link to whom it is for."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import NoReturn

import trio

from p2p.frames import LinkError
from p2p.identity import Identity
from p2p.link import Limits, Link, connect, serve_links
from p2p.messages import Goodbye, Hello, Message, pack, unpack
from protocol.charter import VERSION
from protocol.errors import Malformed

LOBBY = b""
"""The route of links that are about no table yet."""

Handler = Callable[[Link], Awaitable[None]]


class Declined(LinkError):
    """The other side said no; `str()` of it is its sentence."""


async def hear(link: Link) -> Message:
    """The next message. Raises Declined if it is a goodbye, LinkError, or Malformed."""
    message = unpack(await link.receive())
    if isinstance(message, Goodbye):
        raise Declined(message.sentence)
    return message


async def say(link: Link, message: Message) -> None:
    """Queue a message. Raises LinkError."""
    await link.send(pack(message))


class Endpoint:
    """`identity` and the ports of one node. `port` is known once it serves."""

    def __init__(self, identity: Identity, *, limits: Limits | None = None) -> None:
        self.identity = identity
        self.limits = limits or Limits()
        self.port = 0
        self._routes: dict[bytes, Handler] = {}

    @contextmanager
    def route(self, table_id: bytes, handler: Handler) -> Iterator[None]:
        """Links about `table_id` go to `handler` as long as the block lasts."""
        self._routes[table_id] = handler
        try:
            yield
        finally:
            del self._routes[table_id]

    async def serve(
        self,
        listeners: Sequence[trio.SocketListener],
        *,
        task_status: trio.TaskStatus[object] = trio.TASK_STATUS_IGNORED,
    ) -> NoReturn:
        """Serve until cancelled. All `listeners` have the same port."""
        self.port = listeners[0].socket.getsockname()[1]
        await serve_links(
            listeners, self.identity, self._greet, limits=self.limits, task_status=task_status
        )

    async def _greet(self, link: Link) -> None:
        hello = None
        with trio.move_on_after(self.limits.handshake):
            hello = unpack(await link.receive())
        if not isinstance(hello, Hello):
            raise Malformed("A link begins with a hello, said at once.")
        if hello.version != VERSION:
            await say(link, Goodbye(f"This node speaks version {VERSION}, yours {hello.version}."))
        elif hello.table_id not in self._routes:
            await say(link, Goodbye("There is no such table here, or not any more."))
        else:
            await self._routes[hello.table_id](link)

    @asynccontextmanager
    async def dial(
        self, host: str, port: int, table_id: bytes, *, expect: bytes | None = None
    ) -> AsyncIterator[Link]:
        """A link about `table_id` to the node at that address. Raises as `p2p.link.connect`."""
        async with connect(host, port, self.identity, expect=expect, limits=self.limits) as link:
            await say(link, Hello(table_id))
            yield link
