"""A read-only HTTP server of one page, for a limited time and for clients that know its path.

The server speaks as much of HTTP/1.1 (RFC 9112) as a browser needs to fetch one page. Any other
request gets a 404. A client that is slow, or opens too many connections, is dropped.
"""

import base64
import hmac
import random
import secrets
from collections.abc import Callable, Sequence

import trio
from attrs import define, field, frozen

from p2p.fair_shares import CHANCE, Stay, neighbour_of, who_makes_room

SAFE_SECONDS = 2.0
"""Seconds for which a connection keeps its place, even if a newcomer finds all places taken.

A request takes less time. But if a host has more connections than the newcomer's host would have,
one of them may lose its place at once.
"""

_TOKEN_BYTES = 16
_GROUP = 4


@frozen
class ServerLimits:
    """Limits on what clients may take, because any of them may be a stranger."""

    request: int = 8192
    """The maximum size of a request, in bytes."""
    asking: float = 10.0
    """The maximum time in which a client sends its request, in seconds."""
    fetching: float = 60.0
    """The maximum time in which a client fetches the page, in seconds."""
    connections: int = 24
    """The maximum number of open connections, of all hosts together."""
    of_one_host: int = 6
    """The maximum number of open connections of one host or IPv6 network (`p2p.fair_shares`)."""


def new_token() -> str:
    """Return 128 random bits as letters and digits that can be read aloud, in groups."""
    text = base64.b32encode(secrets.token_bytes(_TOKEN_BYTES)).decode().rstrip("=").lower()
    return "-".join(text[at : at + _GROUP] for at in range(0, len(text), _GROUP))


@define(eq=False)
class _Client:
    """A connection from `host`, opened at `since` (Trio's clock)."""

    host: str
    since: float = field(factory=trio.current_time)
    scope: trio.CancelScope = field(factory=trio.CancelScope)


@define
class PageServer:
    """A server of one page, whose path is a secret token."""

    token: str
    page: bytes = field(repr=False)
    on_fetched: Callable[[str], None]
    """Callback after the whole page was sent to a client, with the client's address."""
    limits: ServerLimits = ServerLimits()
    chance: random.Random = CHANCE
    _open: list[_Client] = field(factory=list, init=False)

    async def serve(self, listeners: Sequence[trio.SocketListener], seconds: float) -> None:
        """Serve for that many seconds, or until cancelled; then close the listeners."""
        with trio.move_on_after(seconds):
            await trio.serve_listeners(self._serve_socket, list(listeners))

    async def _serve_socket(self, stream: trio.SocketStream) -> None:
        try:
            host = str(stream.socket.getpeername()[0])
        except OSError:  # the client has gone already
            await trio.aclose_forcefully(stream)
            return
        await self.answer(stream, host)

    async def answer(self, stream: trio.abc.Stream, host: str) -> None:
        """Answer one request from a host, and close the stream."""
        client = _Client(host)
        if not self._admit(client):
            await trio.aclose_forcefully(stream)
            return
        try:
            with client.scope:
                await self._answer(stream, host)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            pass  # the client has gone
        finally:
            if client in self._open:
                self._open.remove(client)
            await trio.aclose_forcefully(stream)

    def _admit(self, client: _Client) -> bool:
        """Give a client a place, and return True; or return False.

        If all places are taken, another client may lose one.
        """
        own = neighbour_of(client.host)
        same = [other for other in self._open if neighbour_of(other.host) == own]
        if len(same) >= self.limits.of_one_host:
            return False
        if len(self._open) >= self.limits.connections:
            now = trio.current_time()
            stays = [Stay(other.host, now - other.since) for other in self._open]
            leaves = who_makes_room(stays, client.host, safe_for=SAFE_SECONDS, chance=self.chance)
            if leaves is None:
                return False
            self._open.pop(leaves).scope.cancel()
        self._open.append(client)
        return True

    async def _answer(self, stream: trio.abc.Stream, host: str) -> None:
        with trio.move_on_after(self.limits.asking) as asking:
            request = await self._request(stream)
        if asking.cancelled_caught or request is None:
            return
        is_ours = self._is_for_the_page(request)
        with trio.move_on_after(self.limits.fetching):
            await stream.send_all(_response(self.page) if is_ours else _NOT_FOUND)
            if is_ours:
                self.on_fetched(host)
            if isinstance(stream, trio.abc.HalfCloseableStream):
                await stream.send_eof()
                # Read what the client still sends: closing a socket with unread bytes resets the
                # connection, and the end of the page would be lost on its way.
                await _drain(stream, self.limits.request)

    async def _request(self, stream: trio.abc.Stream) -> bytes | None:
        """Return the head of a request; None if it is too long or incomplete."""
        data = bytearray()
        while b"\r\n\r\n" not in data:
            more = await stream.receive_some(self.limits.request)
            data += more
            if not more or len(data) > self.limits.request:
                return None
        return bytes(data)

    def _is_for_the_page(self, request: bytes) -> bool:
        line = request.partition(b"\r\n")[0]
        return any(
            hmac.compare_digest(line, f"GET /{self.token} HTTP/1.{minor}".encode())
            for minor in (0, 1)
        )


async def _drain(stream: trio.abc.ReceiveStream, most: int) -> None:
    while most > 0 and (data := await stream.receive_some(most)):
        most -= len(data)


def _head(status: str, size: int, *lines: str) -> bytes:
    head = (f"HTTP/1.1 {status}", f"Content-Length: {size}", "Connection: close", *lines)
    return "\r\n".join([*head, "", ""]).encode()


_NOT_FOUND = _head("404 Not Found", 0)


def _response(page: bytes) -> bytes:
    head = _head(
        "200 OK",
        len(page),
        "Content-Type: text/html; charset=utf-8",
        "Cache-Control: no-store",
        "Referrer-Policy: no-referrer",
        "X-Content-Type-Options: nosniff",
        "X-Frame-Options: DENY",
    )
    return head + page
