"""A detector of pauses in which this machine has slept, or the program was stopped.

This node could hear nobody during a pause, so it cannot say that a player was silent.
"""

import sys
import time

import trio
from attrs import define, field

LOOK_SECONDS = 1.0
"""Seconds between two calls of `SleepWatch.has_slept`."""

MOST_GAP = 10.0
"""The maximum number of seconds between two calls on a busy machine. A longer gap counts as sleep.
"""


def seconds_asleep() -> float:
    """Return the seconds that the system has slept, plus an unknown constant.

    So only the difference of two results has a meaning. While the system sleeps, CLOCK_BOOTTIME on
    Linux and CLOCK_MONOTONIC on macOS go on, but Python's `perf_counter`, which is Trio's clock,
    stands still (clock_gettime(2) of both systems). On Windows `perf_counter` goes on, too, so
    there is nothing to add to it: the result is always 0.
    """
    if sys.platform == "linux":
        return time.clock_gettime(time.CLOCK_BOOTTIME) - time.perf_counter()
    if sys.platform == "darwin":
        return time.clock_gettime(time.CLOCK_MONOTONIC) - time.perf_counter()
    return 0.0


@define
class SleepWatch:
    """A detector of sleep. Call `has_slept` every `LOOK_SECONDS`."""

    _looked: float = field(factory=trio.current_time, init=False)
    """The time of the last call of `has_slept`."""
    _asleep: float = field(init=False)
    """The result of `seconds_asleep` at that call."""

    def __attrs_post_init__(self) -> None:
        self._asleep = seconds_asleep()

    def has_slept(self) -> bool:
        """Return True if the last call was more than `MOST_GAP` seconds ago, including sleep."""
        now, asleep = trio.current_time(), seconds_asleep()
        gap = now - self._looked + asleep - self._asleep
        self._looked, self._asleep = now, asleep
        return gap > MOST_GAP
