"""Detecting that this machine has slept, or that the program was stopped for a while.

This node has heard nobody meanwhile, so it cannot say that a player was silent.
"""

import sys
import time

import trio
from attrs import define, field

LOOK_SECONDS = 1.0
"""Seconds between two calls of `SleepWatch.has_slept`."""

MOST_GAP = 10.0
"""Most seconds between two looks of a machine that is awake but busy; after more it has slept."""


def seconds_asleep() -> float:
    """Return the seconds that the system has slept, up to a constant: compare two results.

    While the system sleeps, CLOCK_BOOTTIME on Linux and CLOCK_MONOTONIC on macOS go on. Python's
    `perf_counter`, which is Trio's clock, stands still (clock_gettime(2) of both systems). On
    Windows `perf_counter` goes on, too, so the result is always 0 there.
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
    _asleep: float = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._asleep = seconds_asleep()

    def has_slept(self) -> bool:
        """Return True if more than `MOST_GAP` has gone by since the last call, sleep included."""
        now, asleep = trio.current_time(), seconds_asleep()
        gap = now - self._looked + asleep - self._asleep
        self._looked, self._asleep = now, asleep
        return gap > MOST_GAP
