"""Token buckets, which limit messages, connections or bytes from a peer or an address."""

from collections.abc import Callable
from typing import Generic, TypeVar

import trio
from attrs import define, field

K = TypeVar("K")
Clock = Callable[[], float]
"""Function that returns the time in seconds. `trio.current_time` works only in Trio's thread."""


@define
class RateLimit:
    """A limit for one peer: `burst` messages (or bytes) at once, later `rate` per second."""

    burst: int = 400
    rate: float = 20.0
    clock: Clock = trio.current_time
    _spent: float = field(default=0.0, init=False)
    """The amount that counted at the time `_at`. It goes down by `rate` each second."""
    _at: float = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._at = self.clock()

    def has(self, amount: int = 1) -> bool:
        """Return True if `amount` more is within the limit now. Nothing is counted."""
        now = self.clock()
        self._spent = max(0.0, self._spent - (now - self._at) * self.rate)
        self._at = now
        return self._spent + amount <= self.burst

    def spend(self, amount: int = 1) -> bool:
        """Count `amount` and return True, or return False if that is over the limit."""
        if not self.has(amount):
            return False
        self._spent += amount
        return True

    def give_back(self) -> None:
        """Take one off the amount that was counted, for example because a call was answered."""
        self._spent = max(0.0, self._spent - 1)


@define
class RateLimits(Generic[K]):
    """The limits of several peers, by key or address, all with the same burst and rate.

    Only the `most` peers that were used last are remembered.
    """

    most: int
    burst: int
    rate: float
    clock: Clock = trio.current_time
    _of: dict[K, RateLimit] = field(factory=dict, init=False)
    """The limits by peer, the one used longest ago first."""

    def of(self, peer: K) -> RateLimit:
        """Return the limit of a peer. If there are too many, forget the one used longest ago."""
        # The peer is taken out, and put in at the end: so the first one was used longest ago.
        limit = self._of.pop(peer, None) or RateLimit(self.burst, self.rate, self.clock)
        self._of[peer] = limit
        if len(self._of) > self.most:
            del self._of[next(iter(self._of))]
        return limit
