"""Sleeping machines: a node notices that its own machine has slept.

`test_node_tasks.py` has what follows: all players have their whole grace again.
"""

import sys
import time

import pytest

from p2p.table import machine_sleep
from p2p.table.machine_sleep import LOOK_SECONDS, MOST_GAP, SleepWatch, seconds_asleep


async def test_a_gap_in_either_clock_is_a_sleep(monkeypatch: pytest.MonkeyPatch) -> None:
    asleep = 1000.0
    now = 0.0
    monkeypatch.setattr(machine_sleep, "seconds_asleep", lambda: asleep)
    monkeypatch.setattr("trio.current_time", lambda: now)
    watch = SleepWatch()
    for _ in range(100):
        now += LOOK_SECONDS
        assert not watch.has_slept()
    asleep += MOST_GAP  # the lid was closed
    now += LOOK_SECONDS
    assert watch.has_slept()
    now += LOOK_SECONDS
    assert not watch.has_slept()
    now += MOST_GAP  # a busy machine may take so long
    assert not watch.has_slept()
    now += 2 * MOST_GAP  # Ctrl-Z and fg, or a lid on Windows
    assert watch.has_slept()


@pytest.mark.parametrize(
    ("system", "clock"), [("linux", "BOOTTIME"), ("darwin", "MONOTONIC"), ("win32", None)]
)
def test_each_system_has_at_most_one_clock_that_runs_during_sleep(
    monkeypatch: pytest.MonkeyPatch, system: str, clock: str | None
) -> None:
    for number, name in enumerate(("BOOTTIME", "MONOTONIC")):
        monkeypatch.setattr(time, f"CLOCK_{name}", number, raising=False)
    numbers = {"BOOTTIME": 0, "MONOTONIC": 1}

    def gettime(asked: int) -> float:
        assert clock is not None
        assert asked == numbers[clock]
        return 1e6 + now

    now = 0.0
    monkeypatch.setattr(time, "clock_gettime", gettime, raising=False)
    monkeypatch.setattr(time, "perf_counter", lambda: now)
    monkeypatch.setattr(sys, "platform", system)
    expected = 0 if clock is None else 1e6
    assert seconds_asleep() == expected
    now += 1e3  # awake: both clocks go on
    assert seconds_asleep() == expected


@pytest.mark.skipif(sys.platform not in ("linux", "darwin"), reason="no such clock here")
def test_the_clocks_of_this_system_agree_while_it_is_awake() -> None:
    assert abs(seconds_asleep() - seconds_asleep()) < MOST_GAP / 2
