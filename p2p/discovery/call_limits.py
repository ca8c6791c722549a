"""How often tables are called that were announced: anybody can send beacons with any address, and
would otherwise have every program on the network call whom they like, as often as they like.
"""

from collections.abc import Callable, Sequence

from attrs import define, field

from p2p.discovery.interfaces import Neighbourhood
from p2p.fair_shares import neighbour_of
from p2p.rate_limit import RateLimit, RateLimits

_MOST_PLACES = 1024
_MOST_SENDERS = 256

CALLS_OF_PLACE = 4
"""Calls at once to one address and port, whoever names it, as long as it has not answered; in the
long run one every two seconds. A node hears 32 at once from one address, and then four a second.
"""

CALLS_OF_SENDER = 8
"""Calls without an answer that one sender of beacons may bring about at once; in the long run one
every four seconds.
"""


@define
class CallLimits:
    """What is called: addresses of this machine (`is_own`) only for beacons that it has sent itself
    (two programs may run here), and never `own_port` on them, where this program listens.
    """

    is_own: Callable[[str], bool] = field(factory=lambda: Neighbourhood().is_own)
    own_port: int = 0
    _places: RateLimits[tuple[str, int]] = field(
        factory=lambda: RateLimits(_MOST_PLACES, CALLS_OF_PLACE, 0.5), init=False
    )
    _senders: RateLimits[str] = field(
        factory=lambda: RateLimits(_MOST_SENDERS, CALLS_OF_SENDER, 0.25), init=False
    )

    def creditor(self, senders: Sequence[str]) -> RateLimit | None:
        """Who answers for another call: the first of those who have sent a beacon, of whose beacons
        not too many have led nowhere. None: nobody.
        """
        limits = (self._senders.of(neighbour_of(sender)) for sender in senders)
        return next((limit for limit in limits if limit.has()), None)

    def allowed(
        self, hosts: Sequence[str], port: int, senders: Sequence[str]
    ) -> tuple[str, ...] | None:
        """Those of the addresses of a beacon that are called now, each counted: with all at once,
        and alone where another node was quicker to answer. None: not now, for they were called too
        often.
        """
        from_here = any(map(self.is_own, senders))
        others = [host for host in hosts if not self.is_own(host)]
        wanted = [host for host in hosts if host in others or (from_here and port != self.own_port)]
        calls = 1 if len(wanted) < 2 else 2
        allowed = tuple(host for host in wanted if self._places.of((host, port)).spend(calls))
        return None if wanted and not allowed else allowed
