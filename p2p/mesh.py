"""The mesh: this node's links to the other members of a table, and what the record needs of them.

Everybody tells everybody how far his record goes, and sends on what the other lacks: anybody may
carry anybody's entries, for they are signed, and links are trusted with nothing but to end.
"""

import logging
from collections.abc import Awaitable, Callable

import trio
from attrs import define, field

from p2p.endpoint import Endpoint, hear, say
from p2p.frames import LinkError, SlowReader
from p2p.link import PEER_FAULTS, Link
from p2p.lobby import Agreement
from p2p.messages import Carry, Status, pack
from protocol.errors import Malformed

_log = logging.getLogger(__name__)

RETRY_SECONDS = (0.1, 0.5, 1.0, 2.0, 5.0)
"""Pauses between attempts to reach a member; the last one repeats."""

HEARTBEAT_SECONDS = 15.0

WINDOW = 16
"""Entries under way to a member before it must say that it has them."""


@define(eq=False)
class _Peer:
    """A member at the other end of a link: `has` is the height it has confirmed, `sent` the last
    entry that is on its way.
    """

    link: Link
    has: int = 0
    sent: int = 0


@define(eq=False)
class Mesh:
    """`entries(since, most)` reads the record, `carried(height, entry)` takes what came in.

    `carried` raises LinkError for what a peer should not have carried.
    """

    endpoint: Endpoint
    agreement: Agreement
    entries: Callable[[int, int], Awaitable[tuple[bytes, ...]]]
    carried: Callable[[int, bytes], Awaitable[None]]
    height: int = 0
    _peers: set[_Peer] = field(factory=set, init=False)
    _confirmed: dict[bytes, int] = field(factory=dict, init=False)
    _news: trio.Event = field(factory=trio.Event, init=False)

    async def run(self, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Keep links until cancelled. Of each pair, the later member calls the earlier one."""
        charter = self.agreement.charter.charter
        with self.endpoint.route(charter.table_id, self._serve):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._beat)
                for member in charter.members[: self.agreement.me]:
                    nursery.start_soon(self._reach, member.key)
                task_status.started()

    async def advanced(self, height: int) -> None:
        """The record has grown to `height`: let everybody know, and have it."""
        self.height = height
        for peer in tuple(self._peers):
            self._tell(peer)
            await self._bring_up_to_date(peer)

    def show(self, height: int, entry: bytes) -> None:
        """Send an entry to everybody, whatever they have: evidence."""
        for peer in tuple(self._peers):
            self._send(peer, Carry(height, entry))

    async def everybody_has(self, height: int) -> None:
        """Wait until each other member has confirmed to have that much of the record.

        Who has confirmed and gone has confirmed.
        """
        others = len(self.agreement.charter.charter.members) - 1
        while sum(has >= height for has in self._confirmed.values()) < others:
            await self._news.wait()

    async def leave(self) -> None:
        """Close all links, each with what was still to be said on it."""
        async with trio.open_nursery() as nursery:
            for peer in self._peers:
                nursery.start_soon(peer.link.aclose)

    # -- links

    async def _reach(self, key: bytes) -> None:
        """Have a link to a member, again and again."""
        host, port = self.agreement.addresses[key]
        table_id = self.agreement.charter.charter.table_id
        failures = 0
        while True:
            try:
                async with self.endpoint.dial(host, port, table_id, expect=key) as link:
                    failures = 0
                    await self._attend(link)
            except* PEER_FAULTS as group:
                _log.info("a link to %s port %s ended: %s", host, port, group.exceptions)
            await trio.sleep(RETRY_SECONDS[min(failures, len(RETRY_SECONDS) - 1)])
            failures += 1

    async def _serve(self, link: Link) -> None:
        if self.agreement.charter.charter.player_of(link.peer) is None:
            raise LinkError("Somebody who is not of this table asked for it.")
        await self._attend(link)

    async def _attend(self, link: Link) -> None:
        """Exchange heights and entries with a member until the link ends."""
        peer = _Peer(link)
        self._peers.add(peer)
        try:
            await say(link, Status(self.height))
            while True:
                match await hear(link):
                    case Status(height):
                        peer.has = height
                        peer.sent = max(peer.sent, height)
                        self._confirmed[link.peer] = height
                        self._news.set()
                        self._news = trio.Event()
                        await self._bring_up_to_date(peer)
                    case Carry(height, entry):
                        peer.sent = max(peer.sent, height)  # no need to send it back
                        await self.carried(height, entry)
                    case _:
                        raise Malformed("At the table one says heights and entries, no more.")
        finally:
            self._peers.remove(peer)

    async def _bring_up_to_date(self, peer: _Peer) -> None:
        """Send what the member lacks, as far as the window goes."""
        first, last = peer.sent + 1, min(self.height, peer.has + WINDOW)
        if first > last:
            return
        peer.sent = last
        for height, entry in enumerate(await self.entries(first, last - first + 1), first):
            self._send(peer, Carry(height, entry))

    async def _beat(self) -> None:
        while True:
            await trio.sleep(HEARTBEAT_SECONDS)
            for peer in tuple(self._peers):
                self._tell(peer)

    def _tell(self, peer: _Peer) -> None:
        self._send(peer, Status(self.height))

    def _send(self, peer: _Peer, message: Carry | Status) -> None:
        """Queue a message. A member who does not read loses it: heights make up for it later."""
        try:
            peer.link.send_nowait(pack(message))
        except SlowReader:
            peer.sent = min(peer.sent, peer.has)
        except LinkError as error:
            _log.debug("not sent, the link has ended: %s", error)  # its own task notices
