"""The endpoint of a node: it listens, and passes each incoming link to the handler of its table."""

import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import NoReturn

import trio
from attrs import frozen

from p2p.refusals import Reason, sentence_of
from p2p.storage.identity import Identity
from p2p.transport.frames import LinkError
from p2p.transport.link import Limits, Link, Opener, connect, serve_links
from p2p.transport.lobby_messages import Announced
from p2p.transport.messages import Goodbye, Hello, Message, pack, unpack
from p2p.version import MESSAGES
from protocol.errors import OutOfTurn

_log = logging.getLogger(__name__)

LOBBY = b""
"""The table id in the hello of a caller who names no table, because they want a seat or to watch.
"""


class Declined(LinkError):
    """An error: the other side said goodbye, with the number of its `reason` (`p2p.refusals`)."""

    def __init__(self, reason: int) -> None:
        super().__init__(sentence_of(reason))
        self.reason = reason


@frozen
class Caller:
    """An incoming link and its first message.

    The message has the id of the table that the caller asks for, and the TCP `port` at which the
    caller's own node listens (0 if it does not listen).
    """

    link: Link
    hello: Hello

    @property
    def port(self) -> int:
        return self.hello.port


Handler = Callable[[Caller], Awaitable[None]]


async def hear(link: Link) -> Message:
    """Return the next message. Raises Declined if it is a goodbye, LinkError, and Malformed."""
    message = unpack(await link.receive())
    if isinstance(message, Goodbye):
        raise Declined(message.reason)
    return message


async def say(link: Link, message: Message) -> None:
    """Queue a message. Raises LinkError."""
    await link.send(pack(message))


class Endpoint:
    """The endpoint of the node with `identity`; `port` is 0 until it serves.

    A link about a table without a route goes to `fallback`, if that is set. When the table gets a
    route, its links at the fallback are closed, so that somebody who called too early calls again
    at once. `announced` is sent to callers who name no table; it is set when the node has a beacon.
    If `near` is set, callers from addresses for which it returns False are refused.
    """

    def __init__(
        self,
        identity: Identity,
        *,
        limits: Limits | None = None,
        open_stream: Opener = trio.open_tcp_stream,
    ) -> None:
        self.identity = identity
        self.limits = limits or Limits()
        self.port = 0
        self.fallback: Handler | None = None
        self.announced: Announced | None = None
        self.near: Callable[[str], bool] | None = None
        self._open_stream = open_stream
        self._routes: dict[bytes, list[Handler]] = {}
        self._on_fallback: dict[bytes, list[trio.CancelScope]] = {}

    @contextmanager
    def route(self, table_id: bytes, handler: Handler) -> Iterator[None]:
        """Pass links about `table_id` to `handler` as long as the block lasts.

        A table has one handler. `LOBBY` may have several handlers, because a node may leave one
        table while another table begins. Then the handler that was added last gets the links.
        """
        handlers = self._routes.setdefault(table_id, [])
        if handlers and table_id != LOBBY:
            raise ValueError("that table is already being played here")
        handlers.append(handler)
        # a link that names no table is not closed: the fallback answers it with a goodbye
        if table_id != LOBBY:
            for scope in self._on_fallback.get(table_id, ()):
                scope.cancel()
        try:
            yield
        finally:
            handlers.remove(handler)
            if not handlers:
                del self._routes[table_id]

    async def serve(
        self,
        listeners: Sequence[trio.abc.Listener[trio.abc.Stream]],
        port: int,
        *,
        task_status: trio.TaskStatus[object] = trio.TASK_STATUS_IGNORED,
    ) -> NoReturn:
        """Serve until cancelled; all `listeners` listen at `port`."""
        self.port = port
        await serve_links(
            listeners, self.identity, self._greet, limits=self.limits, task_status=task_status
        )

    async def _greet(self, link: Link) -> None:
        hello = None
        with trio.move_on_after(self.limits.handshake):
            hello = unpack(await link.receive())
        # `hello` is None if the time is over.
        if not isinstance(hello, Hello):
            raise OutOfTurn("The caller has not said hello in time.")
        link.greet()
        if self.near is not None and not self.near(link.address):
            _log.info("a caller from another network was refused: %s", link.address)
            return await say(link, Goodbye(Reason.OTHER_NETWORK))
        handlers = self._routes.get(hello.table_id)
        # The proof comes first, even for a caller of another version (messages.md, 10).
        if self.announced is not None and hello.table_id == LOBBY:
            await say(link, self.announced)
        if hello.version < MESSAGES:
            await say(link, Goodbye(Reason.NEWER_PROTOCOL))
        elif hello.version > MESSAGES:
            await say(link, Goodbye(Reason.OLDER_PROTOCOL))
        elif handlers:
            await handlers[-1](Caller(link, hello))
        elif self.fallback is None:
            await say(link, Goodbye(Reason.NO_TABLE))
        else:
            await self._fall_back(self.fallback, Caller(link, hello))
        return None

    async def _fall_back(self, fallback: Handler, caller: Caller) -> None:
        table_id = caller.hello.table_id
        with trio.CancelScope() as scope:
            scopes = self._on_fallback.setdefault(table_id, [])
            scopes.append(scope)
            try:
                await fallback(caller)
            finally:
                scopes.remove(scope)
                if not scopes:
                    del self._on_fallback[table_id]

    @asynccontextmanager
    async def dial(
        self,
        hosts: str | Sequence[str],
        port: int,
        table_id: bytes,
        *,
        expect: bytes | None = None,
    ) -> AsyncIterator[Link]:
        """Open a link about `table_id` to the node at `port` of one of `hosts`.

        Raises the same errors as `p2p.transport.link.connect`.
        """
        async with connect(
            hosts,
            port,
            self.identity,
            expect=expect,
            limits=self.limits,
            open_stream=self._open_stream,
        ) as link:
            await say(link, Hello(table_id, self.port))
            yield link
