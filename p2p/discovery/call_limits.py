"""Limits of the calls to announced tables.

Anybody can send beacons with any address, and would otherwise have every program on the network
call whom they like, as often as they like.
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
    """The limits of one program.

    Addresses of this machine (`is_own`) are called only for beacons that it has sent itself, since
    two programs may run here, and never at `own_port`, where this program listens.
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
        """Return the limit of the sender that answers for another call; None if no sender does.

        That is the first sender of the beacon whose beacons have not led nowhere too often.
        """
        limits = (self._senders.of(neighbour_of(sender)) for sender in senders)
        return next((limit for limit in limits if limit.has()), None)

    def allowed(
        self, hosts: Sequence[str], port: int, senders: Sequence[str]
    ) -> tuple[str, ...] | None:
        """Return the addresses of a beacon that may be called now, and count the calls.

        Each of several is counted twice: it is called with all others at once, and alone where
        another node was quicker to answer. None: they were called too often.
        """
        from_here = any(map(self.is_own, senders))
        others = [host for host in hosts if not self.is_own(host)]
        wanted = [host for host in hosts if host in others or (from_here and port != self.own_port)]
        calls = 1 if len(wanted) < 2 else 2
        allowed = tuple(host for host in wanted if self._places.of((host, port)).spend(calls))
        return None if wanted and not allowed else allowed
