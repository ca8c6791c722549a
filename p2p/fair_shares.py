"""Fair shares in a few places that anybody can ask for.

Somebody can have many keys, many IPv6 addresses within a network, and some IPv4 addresses at home,
all for nothing. So places are shared by neighbour (see `neighbour_of`). If there are more
neighbours than places, lots are drawn: nobody holds a place for ever, and nobody is kept out for
ever. The same rule holds for connections that have said nothing yet, the door of a lobby,
spectators, candidates for a seat, and a page that is shared.
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
"""Most addresses, and most neighbours, whose arrivals are counted."""

_NETWORK_BITS = 64

CHANCE: random.Random = random.SystemRandom()
"""The generator that draws lots if no other one is given."""


@lru_cache(maxsize=2 * _MOST_KNOWN)
def neighbour_of(address: str) -> str:
    """Return the neighbour that an address belongs to.

    It is an IPv4 address itself, or the /64 network of an IPv6 address, in which one machine can
    have any number of addresses. A text that is no IP address is its own neighbour.
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
    """Somebody in a place: the address that they came from, and the seconds since they came."""

    address: str
    seconds: float = math.inf


def who_makes_room(
    here: Sequence[Stay], newcomer: str, *, safe_for: float, chance: random.Random
) -> int | None:
    """Return the index in `here` of the stay that makes room for somebody from `newcomer`.

    Lots are drawn among the stays of the neighbours who have most places, with the newcomer counted
    as having one more. If the newcomer's neighbour is among these, a stay of less than `safe_for`
    seconds is not drawn. Return None if nobody makes room.

    For example, if neighbours a, a, b are here, c takes one of a's places at once. If a, b, c are
    here, d takes any of the three places that has been kept for `safe_for` seconds.
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
    """A lottery that lets in about `most` of those who come within `seconds`.

    All have the same chance, however many come. The first to come has no advantage, and somebody
    who comes again has another chance. Even of a crowd that comes all at once at most `most` are
    let in.
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
        # The bucket refills with 1.5 times `most`, more than are drawn in the long run. With fewer
        # it would often be empty, and the first to come would be let in, not those drawn.
        self._tickets = RateLimit(int(self.most), 1.5 * self.most / self.seconds, self.clock)

    def draw(self) -> bool:
        """Count somebody who comes; return True if they are let in."""
        # `_coming` estimates how many come within `seconds`. With 200 coming and `most` 10, each
        # has a chance of 10 in 200.
        now = self.clock()
        self._coming = self._coming * math.exp((self._at - now) / self.seconds) + 1
        self._at = now
        is_drawn = self._coming <= self.most or self.chance.random() < self.most / self._coming
        return is_drawn and self._tickets.spend()


@define
class Arrivals:
    """The limits on how many may come to a few places.

    From each address `burst` may come at once, and `rate` a second over time. Of each neighbour
    about `of_neighbour` are let in within `seconds`, and about `of_all` of all, drawn by lot.
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
