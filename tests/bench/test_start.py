"""The bench of the start measures real processes and a real screen."""

import json
import sys

import pytest

from tests.bench import start
from tests.bench.start import StartBench, as_json, render

BENCH = StartBench(7, 15.0, 30.0, 45.0, 150.0, 300.0, 0.0025, 80.2)


@pytest.mark.skipif(sys.platform != "linux", reason="it reads /proc")
def test_the_first_screen_is_seen_and_left() -> None:
    told = json.loads(as_json(start.run(repeat=1, seconds=1)))
    assert told["bare_ms"] > 0
    for name in (*start.COMMANDS, "play"):
        assert told[f"{name}_ms"] > 0
        assert told[f"{name}_ratio"] == pytest.approx(told[f"{name}_ms"] / told["bare_ms"], 0.01)
    assert told["screen_mb"] > 20, "the screen was really drawn"
    assert 0 <= told["waiting"] < 1


@pytest.mark.skipif(sys.platform != "linux", reason="it reads /proc")
def test_a_program_without_a_screen_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(start, "_START", "print('no screen')")
    with pytest.raises(RuntimeError, match="the first screen did not come"):
        start.run(repeat=1, seconds=1)


def test_figures_are_set_side_by_side() -> None:
    text = render(BENCH)
    assert "--version                   30 ms  2.0 times that" in text
    assert "play, to the first screen  300 ms  20.0 times that" in text
    assert "0.25%  of a core" in text
    assert json.loads(as_json(BENCH))["help_ratio"] == 3.0
