"""Limits on the calls to announced tables.

Anybody can send beacons with any address. Without limits they could make every program on the
network call any machine, as often as they like.
"""

from collections.abc import Callable, Sequence

from attrs import define, field

from p2p.discovery.interfaces import Neighbourhood
from p2p.fair_shares import neighbour_of
from p2p.rate_limit import RateLimit, RateLimits

_MOST_PLACES = 1024
_MOST_SENDERS = 256

CALLS_OF_PLACE = 4
"""Calls that may be made at once to one address and port where no table has answered yet; later
one more every two seconds. The beacons of all senders count together. That is little for a node,
which accepts 32 connections at once from one address, and then four a second.
"""

CALLS_OF_SENDER = 8
"""Unanswered calls that the beacons of one sender may cause at once; later one more every four
seconds.
"""


@define
class CallLimits:
    """The limits of one program.

    Addresses of this machine (`is_own`) are called only for beacons that this machine has sent, as
    two programs may run here. They are never called at `own_port`, where this program listens.
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
        """Return the limit on which the next call is counted; None if it may not be made.

        It is the limit of the first of a beacon's `senders` that still has calls left.
        """
        limits = (self._senders.of(neighbour_of(sender)) for sender in senders)
        return next((limit for limit in limits if limit.has()), None)

    def allowed(
        self, hosts: Sequence[str], port: int, senders: Sequence[str]
    ) -> tuple[str, ...] | None:
        """Return the addresses of a beacon that may be called now, and count the calls.

        If there are several, each counts as two calls. First all are called together. If that does
        not reach the beacon's node, each is called alone. Return None if all were called too often.
        """
        from_here = any(map(self.is_own, senders))
        others = [host for host in hosts if not self.is_own(host)]
        wanted = [host for host in hosts if host in others or (from_here and port != self.own_port)]
        calls = 1 if len(wanted) < 2 else 2
        allowed = tuple(host for host in wanted if self._places.of((host, port)).spend(calls))
        return None if wanted and not allowed else allowed
