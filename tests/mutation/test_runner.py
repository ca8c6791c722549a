"""The runner's verdicts: the fate of a mutant, and tests that cannot be repeated."""

import signal
import tempfile
from pathlib import Path
from typing import cast

import pytest

from tests.mutation.results import Fate, Reach, Results, Verdict
from tests.mutation.runner import CAN_RUN, Runner
from tests.mutation.switchboard import Switchboard, listed
from tests.mutation.switches import Mutant


def runner_of(root: Path) -> tuple[Mutant, Runner]:
    """Return the first mutant of the small project, and a runner that is to judge it."""
    first, *_ = listed(["code.py"])["code.py"]
    found = Results.open(root / "results.jsonl", ["code.py"])
    return first, Runner(Switchboard({"code.py": [first]}), found, [first], 1)


@pytest.mark.parametrize(
    ("status", "fate"),
    [
        (0, Fate.SURVIVED),
        (1 << 8, Fate.KILLED),
        (99 << 8, Fate.OPEN),
        (signal.SIGSEGV, Fate.KILLED),
        (signal.SIGXCPU, Fate.ENDLESS),
        (signal.SIGALRM, Fate.HUNG),
    ],
)
def test_the_exit_status_decides_the_fate_of_the_mutant(
    root: Path, status: int, fate: Fate
) -> None:
    first, runner = runner_of(root)
    with tempfile.TemporaryFile() as told:
        told.write(b"test_one.py::test")
        told.flush()
        verdict = runner.judged(first, status, told)
    assert verdict == Verdict(
        fate, None if fate in {Fate.SURVIVED, Fate.OPEN} else "test_one.py::test", 0
    )


@pytest.mark.skipif(not CAN_RUN, reason="this system cannot fork processes")
@pytest.mark.parametrize("passes", [True, False])
def test_a_test_that_fails_when_repeated_kills_no_mutant(
    root: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], passes: bool
) -> None:
    """Such a test would kill every mutant, as each mutant's process repeats it; it is reported."""
    _first, runner = runner_of(root)
    monkeypatch.setattr("tests.mutation.runner._passes", lambda item: item)
    name = "test_one.py::test"
    runner._reaches[name] = Reach(frozenset(), 0.0)
    items = cast(dict[str, pytest.Item], {name: passes})
    assert runner._is_repeatable(name, items) is passes
    assert runner.results.broken == ([] if passes else [name])
    assert capfd.readouterr().out.startswith("" if passes else "fails a second time")
