"""Limits on the calls to announced tables.

Anybody can send beacons with any address. Without limits, somebody could make every program on the
network call any machine as often as they like.
"""

from collections.abc import Callable, Sequence

from attrs import define, field

from p2p.discovery.interfaces import Neighbourhood
from p2p.fair_shares import neighbour_of
from p2p.rate_limit import RateLimit, RateLimits

_MOST_PLACES = 1024
_MOST_SENDERS = 256

CALLS_OF_PLACE = 4
"""The number of calls that may be made at once to one address and port where no table has answered
yet. Later one more may be made every two seconds. The beacons of all senders count together. For a
node this is little: it accepts 32 connections at once from one address, and then four a second.
"""

CALLS_OF_SENDER = 8
"""The number of unanswered calls that the beacons of one sender may cause at once. Later they may
cause one more every four seconds.
"""


@define
class CallLimits:
    """The limits of one program."""

    is_own: Callable[[str], bool] = field(factory=lambda: Neighbourhood().is_own)
    """Returns True for an address of this machine. Such an address is called only if the beacon
    came from this machine, where another program may have a table.
    """
    own_port: int = 0
    """The port at which this program listens. It never calls itself there."""
    _places: RateLimits[tuple[str, int]] = field(
        factory=lambda: RateLimits(_MOST_PLACES, CALLS_OF_PLACE, 0.5), init=False
    )
    """The limits of each address and port."""
    _senders: RateLimits[str] = field(
        factory=lambda: RateLimits(_MOST_SENDERS, CALLS_OF_SENDER, 0.25), init=False
    )
    """The limits of each neighbour that sends beacons."""

    def creditor(self, senders: Sequence[str]) -> RateLimit | None:
        """Return the limit against which the next call counts; None if the call is not allowed.

        It is the limit of the first of a beacon's `senders` who still has calls left.
        """
        limits = (self._senders.of(neighbour_of(sender)) for sender in senders)
        return next((limit for limit in limits if limit.has()), None)

    def allowed(
        self, hosts: Sequence[str], port: int, senders: Sequence[str]
    ) -> tuple[str, ...] | None:
        """Return the addresses of a beacon that may be called now, and count the calls.

        If there are several addresses, each counts as two calls: first all are called together, and
        if the beacon's node is not reached, each is called alone. Return None if all addresses were
        called too often.
        """
        from_here = any(map(self.is_own, senders))
        others = [host for host in hosts if not self.is_own(host)]
        wanted = [host for host in hosts if host in others or (from_here and port != self.own_port)]
        calls = 1 if len(wanted) < 2 else 2
        allowed = tuple(host for host in wanted if self._places.of((host, port)).spend(calls))
        # Without a `wanted` address the result is (): the table is never called, and soon dropped.
        return None if wanted and not allowed else allowed
