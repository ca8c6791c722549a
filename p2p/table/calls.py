"""Calls to the members of a table to whom there is no link, or a link on which nothing arrives."""

import logging
from collections.abc import Awaitable, Callable, Mapping

import trio
from attrs import define, field

from p2p.discovery.address_book import Address, AddressBook
from p2p.transport.endpoint import Endpoint
from p2p.transport.link import PEER_FAULTS, Link
from p2p.transport.messages import Message, pack
from protocol.table.digest_chain import Chain

_log = logging.getLogger(__name__)

_RETRY_SECONDS = (0.1, 0.5, 1.0, 2.0)
"""Seconds between attempts to reach a member; the last number is repeated."""

_HEAD_START_SECONDS = 2.0
"""Seconds that a member waits before calling a member with a higher number. So the member with the
higher number calls first. If both called at once, each new link would replace the other.
"""

QUIET_SECONDS = 7.0
"""Seconds without a heartbeat after which a member is called again, though the link is still open.
If a network was away for ten seconds, for example, an old connection may send nothing for about ten
more seconds (RFC 6298, 5.5), but a new connection sends at once.
"""

_LOOK_SECONDS = 1.0
"""Seconds between two checks for quiet links, and between two calls to a member with such a link.
"""


Attend = Callable[[Link, int], Awaitable[None]]
"""Function of a link and a player number, which serves the link to that player until it ends."""


@define(eq=False)
class MemberLink:
    """A link to another member of the table."""

    link: Link
    player: int
    """The player number of that member."""
    number: int
    """The number of the link."""
    scope: trio.CancelScope = field(factory=trio.CancelScope)
    gone: trio.Event = field(factory=trio.Event)
    """Set when the link ends."""
    heard_at: float = field(factory=trio.current_time)
    """The time, on Trio's clock, at which the last message arrived."""

    def send(self, message: Message) -> None:
        """Queue a message. Raises SlowReader, and LinkError."""
        self.link.send_nowait(pack(message))

    @property
    def is_quiet(self) -> bool:
        """True if nothing has arrived on the link for `QUIET_SECONDS`."""
        return trio.current_time() - self.heard_at >= QUIET_SECONDS


@define(eq=False)
class Calls:
    """The calls of one member of a table to the others.

    The methods take a function `attend`, and call it with each new link.
    """

    endpoint: Endpoint
    chain: Chain
    me: int
    """The member who calls."""
    book: AddressBook
    """The addresses of the members."""
    links: Mapping[int, MemberLink]
    """The newest link to each member, by player number."""
    over: bool = field(default=False, init=False)
    """True if nobody is called any more."""

    async def reach(self, player: int, attend: Attend) -> None:
        """Keep a link to a member, until cancelled."""
        failures = 0
        while True:
            await trio.sleep(_RETRY_SECONDS[min(failures, len(_RETRY_SECONDS) - 1)])
            await self._give_a_head_start(player)
            failures += 1
            if player in self.links:
                await self.links[player].gone.wait()
                failures = 0
            elif await self._call(player, attend):
                failures = 0

    async def renew(self, attend: Attend) -> None:
        """Call each member again whose link has become quiet, until cancelled."""
        async with trio.open_nursery() as nursery:
            called: set[MemberLink] = set()
            while True:
                await trio.sleep(_LOOK_SECONDS)
                quiet = {link for link in self.links.values() if link.is_quiet}
                # The tasks for `called` still run: each calls until its link is not quiet any more.
                for link in quiet - called:
                    nursery.start_soon(self._renew, link, attend)
                called = quiet

    async def _renew(self, link: MemberLink, attend: Attend) -> None:
        """Call the member again and again, as long as `link` is their newest link, and quiet."""
        while True:
            await self._give_a_head_start(link.player)
            if self.links.get(link.player) is not link or not link.is_quiet:
                return
            await self._call(link.player, attend)
            await trio.sleep(_LOOK_SECONDS)

    async def _give_a_head_start(self, player: int) -> None:
        if player > self.me:
            await trio.sleep(_HEAD_START_SECONDS)

    async def _call(self, player: int, attend: Attend) -> bool:
        """Call a member at one address after the other, and attend to each link until it has ended.

        Return True if there was at least one link.
        """
        key, table_id = self.chain.charter.members[player].key, self.chain.table_id
        answered = False
        for host, port in self.book.of(key):
            # Meanwhile the member may have called, or the quiet link may have come to life again.
            known = self.links.get(player)
            if self.over or (known is not None and not known.is_quiet):
                break
            try:
                async with self.endpoint.dial(host, port, table_id, expect=key) as link:
                    answered = True
                    self.book.learn(Address(key, link.address, port), seen=True)
                    await attend(link, player)
            except* PEER_FAULTS as group:
                _log.info("the link to %s port %s ended: %s", host, port, group.exceptions)
        return answered
