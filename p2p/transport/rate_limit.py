"""A token bucket: how many messages a peer may send that bring no news."""

import trio
from attrs import define, field


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
