"""Links: encrypted connections to peers, each known by its public key.

`connect` makes a link, and `serve_links` waits for others to make links to us. A fault of the other
side ends the link to it, and nothing else.
"""

import functools
import logging
import random
import socket
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import NoReturn

import trio
from attrs import define, field, frozen, validators

from p2p.background_task import beside
from p2p.error_reasons import reason_of
from p2p.fair_shares import CHANCE, Arrivals, Stay, neighbour_of, who_makes_room
from p2p.storage.identity import Identity
from p2p.transport.frames import Frames, LinkError, LinkStalled, Pace
from p2p.transport.tls import client_context, handshake, server_context
from protocol.errors import Malformed, Mismatch, OutOfTurn, ProofFailed, Unattributable

_log = logging.getLogger(__name__)

_NUMERIC = socket.NI_NUMERICHOST | socket.NI_NUMERICSERV

PEER_FAULTS = (LinkError, Malformed, Mismatch, OutOfTurn, ProofFailed, Unattributable)
"""Errors that a peer can cause. Such an error ends the link to that peer, but not the node."""

Admit = Callable[[bytes], bool]
"""Function that gets a peer's public key, and returns True if the peer may come in."""

Handler = Callable[["Link"], Awaitable[None]]
"""Handler of a link that somebody made to us. The link ends when the handler returns."""


Opener = Callable[[str, int], Awaitable[trio.abc.Stream]]
"""Function that opens a connection to a host and port, as `trio.open_tcp_stream` does."""


class Unreachable(LinkError):
    """An error: nobody answers at that address."""


@frozen
class Limits:
    """The limits for all that connect to one node; times in seconds.

    Two kinds of connections have a limited number of places. If all places of a kind are taken, and
    another connection needs one, a connection is closed. It is drawn by lot among the connections
    of the neighbours (see `p2p.fair_shares`) that have the most places. Each kind has places of its
    own, so a crowd that says nothing cannot push out somebody who has said hello.

    The number of new connections is limited, too. Those above a limit are closed before anything is
    said.
    """

    pace: Pace = field(factory=Pace)
    handshake: float = field(default=10.0, validator=validators.gt(0))
    """The time for each of the first steps: the TCP connection, the TLS handshake, and the hello.
    """
    strangers: int = field(default=40, validator=validators.gt(0))
    """The places for connections that have said nothing yet."""
    per_address: int = field(default=12, validator=validators.gt(0))
    """The most connections of one neighbour that have said nothing yet."""
    greeted: int = field(default=24, validator=validators.gt(0))
    """The places for connections that have said a valid hello and have not settled (see
    `Link.greet` and `Link.settle`).
    """
    burst: int = field(default=32, validator=validators.gt(0))
    """The number of new connections from one address that are let in at once."""
    rate: float = field(default=4.0, validator=validators.gt(0))
    """The number of new connections from one address that are let in per second in the long run."""
    rate_of_neighbour: int = field(default=32, validator=validators.gt(0))
    """The number of new connections from each neighbour that are let in per second, drawn by lot
    among those that `burst` and `rate` allow.
    """
    rate_of_all: int = field(default=70, validator=validators.gt(0))
    """The number of new connections that are let in per second in total, drawn in the same way."""


def _nothing() -> None:
    """Do nothing. This is the callback of links that are not counted."""


class Link(Frames):
    """An encrypted, authenticated connection to one peer, which carries frames."""

    def __init__(self, peer: bytes, stream: trio.abc.Stream, pace: Pace, address: str) -> None:
        super().__init__(stream, pace)
        self.peer = peer
        """The public key, 32 bytes. The peer has proved that it holds the secret key."""
        self.address = address
        """The host at the other end of the connection: a hint, no identity."""
        self.greet: Callable[[], None] = _nothing
        """Function that notes that this peer has said a valid hello."""
        self.settle: Callable[[], None] = _nothing
        """Function that notes that this peer is no stranger any more, but belongs here."""

    def __repr__(self) -> str:
        return f"<Link to {self.peer.hex()[:16]} at {self.address}>"


STAGGER_SECONDS = 0.25
"""Seconds between the starts of two attempts to reach one node at two addresses (RFC 8305)."""


async def _open_first(hosts: Sequence[str], port: int, open_stream: Opener) -> trio.abc.Stream:
    """Return the connection that is made first. Raises the last OSError if all attempts fail.

    Each attempt begins when the attempt before it has failed, at the latest after
    `STAGGER_SECONDS`.
    """
    opened: list[trio.abc.Stream] = []
    errors: list[OSError] = []

    async def attempt(host: str, failed: trio.Event, scope: trio.CancelScope) -> None:
        try:
            stream = await open_stream(host, port)
        except OSError as error:
            errors.append(error)
            failed.set()
            return
        opened.append(stream)
        scope.cancel()

    try:
        async with trio.open_nursery() as nursery:
            for host in hosts:
                failed = trio.Event()
                nursery.start_soon(attempt, host, failed, nursery.cancel_scope)
                with trio.move_on_after(STAGGER_SECONDS):
                    await failed.wait()
        if not opened:
            raise errors[-1]
        return opened.pop(0)
    finally:  # close the connections that are not returned: a second one, or all when cancelled
        with trio.CancelScope(shield=True):
            for stream in opened:
                await trio.aclose_forcefully(stream)


@functools.lru_cache(maxsize=16)
def _client_context(identity: Identity) -> ssl.SSLContext:
    """Return the cached context: making it again needs a file descriptor, and none may be left."""
    return client_context(identity)


async def _reached(
    hosts: Sequence[str], port: int, open_stream: Opener, seconds: float
) -> trio.abc.Stream:
    """Return a stream to one of `hosts`, within `seconds`. Raises Unreachable."""
    host = ", ".join(hosts)
    try:
        with trio.fail_after(seconds):
            return await _open_first(hosts, port, open_stream)
    except trio.TooSlowError as error:
        raise Unreachable(
            "Nobody answers at {host}, port {port}.", host=host, port=str(port)
        ) from error
    except OSError as error:
        raise Unreachable(
            "Nobody answers at {host}, port {port} ({reason}).",
            host=host,
            port=str(port),
            reason=reason_of(error),
        ) from error


def host_choices(hosts: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield the hosts to `connect` to, one choice after the other, until the right node answers.

    The first choice is all hosts together: the fastest one gets the link. It may be a machine with
    another node. So the next choices are the single hosts: the right one may only have been slower.
    """
    yield hosts
    if len(hosts) > 1:
        yield from ((host,) for host in hosts)


@asynccontextmanager
async def connect(
    hosts: str | Sequence[str],
    port: int,
    identity: Identity,
    *,
    expect: bytes | None = None,
    limits: Limits | None = None,
    open_stream: Opener = trio.open_tcp_stream,
) -> AsyncIterator[Link]:
    """Open a link to the node at `port` of one of `hosts`, for as long as the block lasts.

    With `expect`, only the holder of that public key is accepted. Raises Unreachable, PeerRefused,
    or LinkStalled if the handshake takes too long.
    """
    limits = limits or Limits()
    hosts = (hosts,) if isinstance(hosts, str) else hosts
    try:
        context = _client_context(identity)
    except OSError as error:
        raise Unreachable(
            "No link can be opened from this machine ({reason}). Close other programs, and try "
            "again.",
            reason=reason_of(error),
        ) from error
    stream = await _reached(hosts, port, open_stream, limits.handshake)
    async with open_link(
        stream,
        context,
        server_side=False,
        # An address can lead back to this node itself.
        admit=lambda peer: peer != identity.public and expect in {None, peer},
        limits=limits,
        address=address_of(stream),
    ) as link:
        yield link


async def serve_links(
    listeners: Sequence[trio.abc.Listener[trio.abc.Stream]],
    identity: Identity,
    handler: Handler,
    *,
    limits: Limits | None = None,
    chance: random.Random = CHANCE,
    task_status: trio.TaskStatus[object] = trio.TASK_STATUS_IGNORED,
) -> NoReturn:
    """Run `handler` on the link of everybody who connects, until cancelled; then close `listeners`.

    If a handler raises one of PEER_FAULTS, only its link ends. Any other error is a bug, and this
    function raises it.
    """
    limits = limits or Limits()
    context = server_context(identity)
    strangers = _Strangers(limits, chance)

    async def greet(stream: trio.abc.Stream) -> None:
        stranger = _Stranger(address_of(stream))
        strangers.enter(stranger)
        try:
            with stranger.scope:
                async with open_link(
                    stream,
                    context,
                    server_side=True,
                    admit=lambda peer: peer != identity.public,
                    limits=limits,
                    address=stranger.address,
                ) as link:
                    link.greet = partial(strangers.greet, stranger)
                    link.settle = partial(strangers.leave, stranger)
                    await handler(link)
        except* PEER_FAULTS as group:
            _log.info("the link from %s ended: %s", stranger.address, group.exceptions)
        finally:
            strangers.leave(stranger)

    heard = [_Listener(listener, strangers) for listener in listeners]
    await trio.serve_listeners(greet, heard, task_status=task_status)


@define(eq=False)
class _Stranger:
    """A connection from `address`, by somebody who is not known to belong here."""

    address: str
    scope: trio.CancelScope = field(factory=trio.CancelScope)


@define
class _Strangers:
    """All strangers: those who have said nothing yet, and those who have only said hello."""

    limits: Limits
    chance: random.Random
    _silent: list[_Stranger] = field(factory=list, init=False)
    """Those who have said nothing yet."""
    _greeted: list[_Stranger] = field(factory=list, init=False)
    """Those who have only said hello."""
    _arrivals: Arrivals = field(init=False)

    def __attrs_post_init__(self) -> None:
        limits = self.limits
        rates = (limits.burst, limits.rate, limits.rate_of_neighbour, limits.rate_of_all)
        self._arrivals = Arrivals(*rates, chance=self.chance)

    def may_come(self, address: str) -> bool:
        """Count a connection from that address; return True unless too many come."""
        if self._arrivals.may_come(address):
            return True
        _log.warning("too many connections: one from %s is not heard", address)
        return False

    def enter(self, stranger: _Stranger) -> None:
        """Let a stranger in. If there are too many, close the connection of another stranger."""
        own = neighbour_of(stranger.address)
        same = [other for other in self._silent if neighbour_of(other.address) == own]
        if len(same) >= self.limits.per_address:
            self._dismiss(self.chance.choice(same))
        self._take_place(stranger, self._silent, self.limits.strangers)

    def greet(self, stranger: _Stranger) -> None:
        """Move a stranger who has said a valid hello to one of the places for greeted strangers."""
        # Whoever was dismissed before their hello was read is in no list, and gets no place.
        if stranger in self._silent:
            self._silent.remove(stranger)
            self._take_place(stranger, self._greeted, self.limits.greeted)

    def leave(self, stranger: _Stranger) -> None:
        for places in (self._silent, self._greeted):
            if stranger in places:
                places.remove(stranger)

    def _take_place(self, stranger: _Stranger, places: list[_Stranger], most: int) -> None:
        if len(places) >= most:
            stays = [Stay(other.address) for other in places]
            leaves = who_makes_room(stays, stranger.address, safe_for=0.0, chance=self.chance)
            assert leaves is not None, "`safe_for` is 0: no place is safe"
            self._dismiss(places[leaves])
        places.append(stranger)

    def _dismiss(self, stranger: _Stranger) -> None:
        _log.warning("too many connections: one from %s is closed", stranger.address)
        self.leave(stranger)
        stranger.scope.cancel()


@define(eq=False)
class _Listener(trio.abc.Listener[trio.abc.Stream]):
    """A listener that returns the connections that may come, and closes all others at once.

    The others get no tasks of their own: in a flood, two thirds of the time would be spent on
    starting these tasks.
    """

    _listener: trio.abc.Listener[trio.abc.Stream]
    _strangers: _Strangers

    async def accept(self) -> trio.abc.Stream:
        while True:
            stream = await self._listener.accept()
            if self._strangers.may_come(address_of(stream)):
                return stream
            if isinstance(stream, trio.SocketStream):
                stream.socket.close()
            else:
                await trio.aclose_forcefully(stream)

    async def aclose(self) -> None:
        await self._listener.aclose()


@asynccontextmanager
async def open_link(
    stream: trio.abc.Stream,
    context: ssl.SSLContext,
    *,
    server_side: bool,
    admit: Admit,
    limits: Limits,
    address: str,
) -> AsyncIterator[Link]:
    """Open a link over `stream` for as long as the block lasts. The stream is closed in any case.

    Raises LinkStalled if the handshake takes too long, and the errors of
    `p2p.transport.tls.handshake`.
    """
    try:
        try:
            with trio.fail_after(limits.handshake):
                secure, peer = await handshake(
                    stream, context, server_side=server_side, admit=admit
                )
        except trio.TooSlowError as error:
            raise LinkStalled("The handshake took too long.") from error
        link = Link(peer, secure, limits.pace, address)
        async with beside(link.pump):
            yield link
            # Closing waits until `pump` has sent what is queued, so it happens while `pump` runs.
            await link.aclose()
    finally:
        await trio.aclose_forcefully(stream)


def address_of(stream: trio.abc.Stream) -> str:
    """Return the IP address at the other end of a connection, or a word if there is none."""
    if not isinstance(stream, trio.SocketStream):
        return "elsewhere"
    try:
        # The text of a link-local address includes the scope: without it the address is useless.
        return socket.getnameinfo(stream.socket.getpeername(), _NUMERIC)[0]
    except OSError:  # the other end has gone already
        return "nowhere"
