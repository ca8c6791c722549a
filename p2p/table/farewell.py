"""What a player gets whose seat was given to somebody else: the record up to the entry that says
so.

They are no member any more, and have nothing to lose: so they have one link at a node, may not call
for that without end, and say little.
"""

from functools import partial

from attrs import define, field

from p2p.rate_limit import RateLimit, RateLimits
from p2p.table.only_links import OnlyLinks
from p2p.table.replica import Replica
from p2p.transport.endpoint import hear, say
from p2p.transport.link import Link
from p2p.transport.messages import Carry, Status
from protocol.errors import OutOfTurn

MOST_CALLS = 8
"""Of one player at once, and one each five seconds in the long run: each is sent a record."""

_MOST_RATES = 64
"""Players of whom it is known how often they have called."""

_MOST_SAID = 20
"""Messages before they say how far their record goes."""

_PART = 100
"""Entries that are read at once."""


@define(eq=False)
class Farewells:
    """Those at a node with that record."""

    replica: Replica
    _links: OnlyLinks = field(factory=OnlyLinks, init=False)
    _rates: RateLimits[bytes] = field(
        factory=partial(RateLimits, _MOST_RATES, MOST_CALLS, 0.2), init=False
    )

    async def say(self, link: Link) -> None:
        """Send them what they lack of it, and no more. Raises OutOfTurn if they say too much."""
        if not self._rates.of(link.peer).spend():
            return
        with self._links.only(link.peer):
            await self._say(link)

    async def _say(self, link: Link) -> None:
        rate_limit = RateLimit(burst=_MOST_SAID, rate=1.0)
        await say(link, self.replica.greeting())
        while not isinstance(status := await hear(link), Status):
            if not rate_limit.spend():
                raise OutOfTurn("Who has lost their seat says how far their record goes.")
        last = self.replica.departed[link.peer]
        for first in range(min(status.height + 1, last), last + 1, _PART):
            part = await self.replica.entries(first, min(_PART, last + 1 - first))
            for height, entry in enumerate(part, first):
                await say(link, Carry(height, entry))
