"""The file of the mutants' results, the drawing of a sample, and the report."""

import signal
import tempfile
from pathlib import Path
from typing import cast

import pytest

from tests.mutation import loading, results
from tests.mutation.__main__ import sample
from tests.mutation.loading import Switchboard, listed
from tests.mutation.report import Judged, is_open, reasons, table
from tests.mutation.results import Fate, Reach, Results, Verdict
from tests.mutation.runner import CAN_RUN, Runner
from tests.mutation.switches import Mutant

SOURCE = "def judge(a, b):\n    return a < b and a > 3\n"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write a project with one file of code and two files of tests."""
    for module in (loading, results):
        monkeypatch.setattr(module, "ROOT", tmp_path)
    (tmp_path / "code.py").write_text(SOURCE)
    (tmp_path / "test_one.py").write_text("1")
    (tmp_path / "test_two.py").write_text("2")
    return tmp_path


def opened(root: Path) -> Results:
    return Results.open(root / "results.jsonl", ["code.py"])


def mutants(root: Path) -> list[Mutant]:
    return listed(["code.py"])["code.py"]


TESTS = ["test_one.py", "test_two.py"]
KILLED = Verdict(Fate.KILLED, "test_one.py::test", 3)
SURVIVED = Verdict(Fate.SURVIVED, tests=2)


def test_a_mutant_stays_killed_until_its_code_or_test_changes(root: Path) -> None:
    first, *_ = mutants(root)
    opened(root).note(first, 0, KILLED, TESTS)
    assert opened(root).verdict(first, 0) == KILLED
    (root / "test_two.py").write_text("another test")
    assert opened(root).verdict(first, 0) == KILLED
    (root / "test_one.py").write_text("another test")
    assert opened(root).verdict(first, 0) is None
    (root / "test_one.py").write_text("1")
    (root / "code.py").write_text(SOURCE + "\n")
    assert opened(root).verdict(first, 0) is None


def test_a_survivor_faces_only_tests_that_have_changed(root: Path) -> None:
    first, *_ = mutants(root)
    opened(root).note(first, 0, SURVIVED, TESTS)
    assert opened(root).faced(first, 0, TESTS) == set(TESTS)
    (root / "test_two.py").write_text("another test")
    assert opened(root).verdict(first, 0) == SURVIVED
    assert opened(root).faced(first, 0, [*TESTS, "test_new.py"]) == {"test_one.py"}


def test_a_truncated_line_is_ignored(root: Path) -> None:
    first, second, *_ = mutants(root)
    opened(root).note(first, 0, KILLED, TESTS)
    with (root / "results.jsonl").open("a") as file:
        file.write('{"file": "code.py", "num')
    opened(root).note(second, 0, SURVIVED, TESTS)
    assert opened(root).verdict(first, 0) == KILLED
    assert opened(root).verdict(second, 0) == SURVIVED


def test_the_reach_of_a_test_is_valid_until_the_code_or_test_changes(root: Path) -> None:
    reach = Reach(frozenset({1, 2}), 0.5)
    opened(root).note_reach("test_one.py::test", reach)
    assert opened(root).reach("test_one.py::test") == reach
    assert opened(root).reach("test_two.py::test") is None
    (root / "code.py").write_text(SOURCE + "\n")
    assert opened(root).reach("test_one.py::test") is None


def test_a_broken_test_is_reported_until_it_changes(root: Path) -> None:
    opened(root).note_broken("test_one.py::test")
    assert opened(root).reach("test_one.py::test") is None
    assert opened(root).broken == ["test_one.py::test"]
    (root / "test_one.py").write_text("mended")
    assert opened(root).broken == []


def test_a_sample_is_repeatable_and_changes_little_with_the_mutants() -> None:
    all_of_them = [Mutant(n, "code.py", "judge", n, str(n), "None", 0) for n in range(100)]
    drawn = sample(all_of_them, 20, 1)
    assert drawn == sample(all_of_them[::-1], 20, 1)
    assert drawn != sample(all_of_them, 20, 2)
    assert len(set(sample(all_of_them[1:], 20, 1)) & set(drawn)) >= 19


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
    first, *_ = mutants(root)
    runner = Runner(Switchboard({"code.py": [first]}), opened(root), [first], 1, 0)
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
    first, *_ = mutants(root)
    runner = Runner(Switchboard({"code.py": [first]}), opened(root), [first], 1, 0)
    monkeypatch.setattr("tests.mutation.runner._passes", lambda item: item)
    name = "test_one.py::test"
    runner._reaches[name] = Reach(frozenset(), 0.0)
    items = cast(dict[str, pytest.Item], {name: passes})
    assert runner._is_repeatable(name, items) is passes
    assert opened(root).broken == ([] if passes else [name])
    assert capfd.readouterr().out.startswith("" if passes else "fails a second time")


def test_reasons_apply_to_the_names_below_them() -> None:
    text = "# This file.\n\n# One reason,\n# two lines.\na b: c -> d\ne f: 1 -> 2\n\n# Next.\ng\n"
    assert reasons(text) == {
        "a b: c -> d": "One reason, two lines.",
        "e f: 1 -> 2": "One reason, two lines.",
        "g": "Next.",
    }


def test_a_hung_mutant_counts_neither_as_killed_nor_as_survivor(root: Path) -> None:
    chosen = mutants(root)[:4]
    fates = [Fate.KILLED, Fate.ENDLESS, Fate.HUNG, Fate.SURVIVED]
    verdicts = {
        one: Verdict(fate, "t" if fate else None) for one, fate in zip(chosen, fates, strict=True)
    }
    judged = Judged("code", 9, chosen, verdicts, [])
    assert list(table([judged], {}))[2:] == ["| code | 9 | 4 | 2 (50.0 %) | 1 | 1 | 0 | 1 | 1 |"]
    assert is_open(judged, {})
    killed = {one: verdicts[one] for one in chosen[:2]}
    assert not is_open(Judged("code", 9, chosen[:2], killed, []), {})
    assert is_open(Judged("code", 9, chosen, killed, []), {})
