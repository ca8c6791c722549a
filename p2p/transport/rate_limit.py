"""A token bucket: how many messages a peer may send that bring no news."""

from typing import Generic, TypeVar

import trio
from attrs import define, field

K = TypeVar("K")


@define
class RateLimit:
    """Of one peer: `burst` messages at once, `rate` a second in the long run."""

    burst: int = 400
    rate: float = 20.0
    _spent: float = field(default=0.0, init=False)
    _at: float = field(factory=trio.current_time, init=False)

    @property
    def is_untouched(self) -> bool:
        """Whether nothing was counted for so long that it has no effect any more."""
        return self._spent <= (trio.current_time() - self._at) * self.rate

    def spend(self) -> bool:
        """Count one message; whether it is within the limit."""
        now = trio.current_time()
        self._spent = max(0.0, self._spent - (now - self._at) * self.rate)
        self._at = now
        if self._spent + 1 > self.burst:
            return False
        self._spent += 1
        return True


@define
class RateLimits(Generic[K]):
    """One for each of the latest `most` peers, by key or address, with that burst and rate."""

    most: int
    burst: int
    rate: float
    _of: dict[K, RateLimit] = field(factory=dict, init=False)

    def of(self, peer: K) -> RateLimit:
        """That of a peer, who is the latest now; who was quiet longest is forgotten first."""
        limit = self._of.pop(peer, None) or RateLimit(self.burst, self.rate)
        self._of[peer] = limit
        if len(self._of) > self.most:
            del self._of[next(iter(self._of))]
        return limit
