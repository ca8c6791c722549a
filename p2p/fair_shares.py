"""Shares in few places that anybody can ask for.

Keys cost nothing, nor do IPv6 addresses within a network, nor some IPv4 addresses at home. So
places are shared by neighbour, and where there are more neighbours than places, by lot: nobody
holds a place for ever, and nobody is kept out for ever. One rule holds for connections that have
said nothing yet, the door of a lobby, spectators, candidates for a seat, and a page that is shared.
"""

import ipaddress
import math
import random
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

import trio
from attrs import define, field, frozen

from p2p.rate_limit import Clock, RateLimit, RateLimits

_MOST_KNOWN = 1024
"""Addresses, and neighbours, of which it is known how often somebody came from there."""

_NETWORK_BITS = 64

CHANCE: random.Random = random.SystemRandom()
"""Draws lots where no other generator is given."""


@lru_cache(maxsize=2 * _MOST_KNOWN)
def neighbour_of(address: str) -> str:
    """Return the neighbour that an address belongs to.

    It is an IPv4 address, or the /64 of an IPv6 address, within which a machine has any number of
    addresses. A text that is no IP address is its own neighbour.
    """
    host, _, scope = address.partition("%")
    try:
        found = ipaddress.ip_address(host)
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return host
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    network = ipaddress.IPv6Network((found, _NETWORK_BITS), strict=False)
    return f"{network}%{scope}" if scope else str(network)


@frozen
class Stay:
    """Somebody in a place: the address they came from, and for how many seconds they are there."""

    address: str
    seconds: float = math.inf


def who_makes_room(
    here: Sequence[Stay], newcomer: str, *, safe_for: float, chance: random.Random
) -> int | None:
    """Return the index of the one who makes room for somebody from the address `newcomer`.

    It is one of those who are `here`, drawn by lot among the neighbours who have most places, the
    newcomer counted in. None: nobody makes room.

    From a neighbour with fewer places nobody takes one within the first seconds, for which it is
    `safe_for` them: where a, a, b are here, c takes one of a's at once; where a, b, c are, d takes
    any of the three, but not before it has been kept so long.
    """
    neighbours = [neighbour_of(stay.address) for stay in here]
    own = neighbour_of(newcomer)
    have = Counter([*neighbours, own])
    most = max(have.values())
    candidates = [index for index, one in enumerate(neighbours) if have[one] == most]
    if have[own] == most:
        candidates = [index for index in candidates if here[index].seconds >= safe_for]
    return chance.choice(candidates) if candidates else None


@define
class Lottery:
    """A lottery that lets in about `most` of those who come within so many `seconds`.

    Each has the same chance, however many they are: somebody who comes first has no advantage, and
    somebody who comes again has another chance. Of a crowd that comes all at once there are no more
    than that, either.
    """

    most: float
    seconds: float
    chance: random.Random
    clock: Clock = trio.current_time
    _coming: float = field(default=0.0, init=False)
    _at: float = field(init=False)
    _tickets: RateLimit = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._at = self.clock()
        # More than are drawn in the long run, so that the draw decides, and not who comes first.
        self._tickets = RateLimit(int(self.most), 1.5 * self.most / self.seconds, self.clock)

    def draw(self) -> bool:
        """Count somebody who comes; return True if they are let in."""
        now = self.clock()
        self._coming = self._coming * math.exp((self._at - now) / self.seconds) + 1
        self._at = now
        is_drawn = self._coming <= self.most or self.chance.random() < self.most / self._coming
        return is_drawn and self._tickets.spend()


@define
class Arrivals:
    """The limits of how many may come to a few places.

    From each address `burst` come at once and `rate` a second; of each neighbour, and of all, about
    so many within `seconds`, drawn by lot.
    """

    burst: int
    rate: float
    of_neighbour: float
    of_all: float
    seconds: float = 1.0
    chance: random.Random = CHANCE
    clock: Clock = trio.current_time
    _each: RateLimits[str] = field(init=False)
    _neighbours: dict[str, Lottery] = field(factory=dict, init=False)
    _all: Lottery = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._each = RateLimits(_MOST_KNOWN, self.burst, self.rate, self.clock)
        self._all = self._lottery(self.of_all)

    def may_come(self, address: str) -> bool:
        """Count somebody who comes from that address; return True if they are let in."""
        return self._each.of(address).spend() and self._of(address).draw() and self._all.draw()

    def _of(self, address: str) -> Lottery:
        neighbour = neighbour_of(address)
        lottery = self._neighbours.pop(neighbour, None) or self._lottery(self.of_neighbour)
        self._neighbours[neighbour] = lottery
        if len(self._neighbours) > _MOST_KNOWN:
            del self._neighbours[next(iter(self._neighbours))]
        return lottery

    def _lottery(self, most: float) -> Lottery:
        return Lottery(most, self.seconds, self.chance, self.clock)
