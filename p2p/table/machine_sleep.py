"""The watch for a sleep of this machine, or a stop of the program.

Whoever was silent meanwhile need not have been.
"""

import sys
import time

import trio
from attrs import define, field

LOOK_SECONDS = 1.0
"""Between two looks."""

MOST_GAP = 10.0
"""Seconds between two looks after which the machine has slept; one that is busy takes less."""


def seconds_asleep() -> float:
    """Seconds that the system has slept since some moment that stays the same.

    On Linux CLOCK_BOOTTIME goes on in its sleep, on macOS CLOCK_MONOTONIC, and Python's
    `perf_counter`, by which Trio goes, stands still (clock_gettime(2), of both). On Windows
    `perf_counter` goes on itself, so it is 0 there.
    """
    if sys.platform == "linux":
        return time.clock_gettime(time.CLOCK_BOOTTIME) - time.perf_counter()
    if sys.platform == "darwin":
        return time.clock_gettime(time.CLOCK_MONOTONIC) - time.perf_counter()
    return 0.0


@define
class SleepWatch:
    """The watch that is asked, every `LOOK_SECONDS`, if the machine has slept since."""

    _looked: float = field(factory=trio.current_time, init=False)
    _asleep: float = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._asleep = seconds_asleep()

    def has_slept(self) -> bool:
        """Return True if there was a gap since the last look, in Trio's time or besides it."""
        now, asleep = trio.current_time(), seconds_asleep()
        gap = now - self._looked + asleep - self._asleep
        self._looked, self._asleep = now, asleep
        return gap > MOST_GAP
