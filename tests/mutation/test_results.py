"""The file of the mutants' results."""

from pathlib import Path

from tests.mutation.results import Fate, Reach, Results, Verdict
from tests.mutation.switchboard import listed
from tests.mutation.switches import Mutant


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
    (root / "code.py").write_text("\n" + (root / "code.py").read_text())
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
    (root / "code.py").write_text("\n" + (root / "code.py").read_text())
    assert opened(root).reach("test_one.py::test") is None


def test_a_broken_test_is_reported_until_it_changes(root: Path) -> None:
    opened(root).note_broken("test_one.py::test")
    assert opened(root).reach("test_one.py::test") is None
    assert opened(root).broken == ["test_one.py::test"]
    (root / "test_one.py").write_text("mended")
    assert opened(root).broken == []
