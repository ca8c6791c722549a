"""Fair shares in a few places that anybody can ask for.

Anybody can have many keys, many IPv6 addresses within one network, and some IPv4 addresses at home,
all for nothing. So places are not shared out among keys or addresses, but among *neighbours*: a
neighbour is one IPv4 address, or one IPv6 network (`neighbour_of`). If there are more neighbours
than places, lots are drawn: nobody keeps a place for ever, and nobody is kept out for ever. The
same rule holds for connections that have said nothing yet, the door of a lobby, spectators,
candidates for a seat, and a page that is shared.
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
"""The maximum number of addresses whose arrivals are counted, and the same for neighbours."""

_NETWORK_BITS = 64

CHANCE: random.Random = random.SystemRandom()
"""The default generator of the lots."""


@lru_cache(maxsize=2 * _MOST_KNOWN)
def neighbour_of(address: str) -> str:
    """Return the neighbour to which an address belongs: an address or a network, as text.

    An IPv4 address is its own neighbour. The neighbour of an IPv6 address is its /64 network, in
    which one machine can have any number of addresses. A text that is no IP address is its own
    neighbour.
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
    """Return the index in `here` of the stay that makes room for a newcomer from that address.

    The places of each neighbour are counted, as if the newcomer had a place already. A lot is drawn
    among the stays of the neighbours with the most places. If the newcomer's own neighbour is one
    of them, only stays of at least `safe_for` seconds take part. Return None if nobody makes room.

    For example, if neighbours a, a, b are here, c takes one of a's places immediately. If a, b, c
    are here, d takes a place that was kept for at least `safe_for` seconds, by lot.
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
    """A lottery that lets in about `most` of the people who come within `seconds`.

    If no more than `most` people come within `seconds`, all are let in. If more keep coming, all
    have the same chance, and somebody who comes again has another chance. If a crowd comes at the
    same moment, the first `most` of them are let in.
    """

    most: float
    seconds: float
    chance: random.Random
    clock: Clock = trio.current_time
    _coming: float = field(default=0.0, init=False)
    """The estimated number of people who come within `seconds`, as of the time `_at`."""
    _at: float = field(init=False)
    _tickets: RateLimit = field(init=False)
    """The limit on those who come at the same moment."""

    def __attrs_post_init__(self) -> None:
        self._at = self.clock()
        # In `seconds` the bucket gets 1.5 times `most` tickets, while about `most` people are
        # drawn. With fewer tickets the bucket would often be empty. Then those who come first after
        # a refill would be let in, not those who are drawn.
        self._tickets = RateLimit(int(self.most), 1.5 * self.most / self.seconds, self.clock)

    def draw(self) -> bool:
        """Count somebody who comes; return True if they are let in."""
        # `_coming` estimates how many people come within `seconds`. If it is 200 and `most` is 10,
        # each of them has a chance of 10 in 200. If it is 10 or less, all are drawn.
        now = self.clock()
        self._coming = self._coming * math.exp((self._at - now) / self.seconds) + 1
        self._at = now
        is_drawn = self.chance.random() < self.most / self._coming
        return is_drawn and self._tickets.spend()


@define
class Arrivals:
    """The limits on the number of people who may ask for a few places."""

    burst: int
    """The number of people from one address who may come at once."""
    rate: float
    """The number of people from one address who may come per second in the long run."""
    of_neighbour: float
    """The number of people from each neighbour who are let in within `seconds`, on average. Lots
    are drawn among those that `burst` and `rate` allow.
    """
    of_all: float
    """The number of people who are let in within `seconds` in total, on average."""
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
