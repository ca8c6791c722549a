"""Mutation testing: `python -m tests.mutation FILES...` changes the code in one place after the
other, and looks which test notices.

    python -m tests.mutation                       protocol and spec/verifier.py, by their tests
    python -m tests.mutation protocol/absence.py   one file
    python -m tests.mutation engine --tests tests/engine
    python -m tests.mutation p2p --tests tests/p2p --minutes 60

A mutant that no test notices is a survivor. `reasons.txt` says of each why that is right; the exit
code is 1 if there is one of which nothing is said. It takes a system that can fork.
"""

import argparse
import os
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.mutation.runner import ROOT, Runner, Verdict

REASONS = Path(__file__).with_name("reasons.txt")
_TESTS = ("tests/protocol", "tests/attacks", "tests/spec")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutation")
    parser.add_argument("paths", nargs="*", default=["protocol", "spec/verifier.py"])
    parser.add_argument("--tests", nargs="+", default=_TESTS, help="tests that are to notice")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--minutes", type=float, default=600, help="begin no mutant after these")
    parser.add_argument("--seconds", type=float, default=120, help="for one mutant at most")
    parser.add_argument("--sample", type=int, help="as many mutants, drawn by lot")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    files = frozenset(str(file) for path in given.paths for file in _sources(ROOT / path))
    runner = Runner(files, given.jobs, given.minutes, given.seconds, given.sample, given.seed)
    runner.install()
    options = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-o", "addopts="]
    pytest.main([*options, *given.tests], plugins=[runner])
    return report(runner)


def _sources(path: Path) -> list[Path]:
    return [path] if path.suffix == ".py" else sorted(path.rglob("*.py"))


def report(runner: Runner) -> int:
    """Prints what caught what; the exit code."""
    if runner.broken:
        print("\nThese tests fail without any mutant, and catch none:", *runner.broken, sep="\n  ")
    verdicts = runner.verdicts
    print("\n| File | Mutants | Caught | Survived |\n|---|---|---|---|")
    for path in sorted({verdict.mutant.path for verdict in verdicts}):
        of_file = [verdict for verdict in verdicts if verdict.mutant.path == path]
        caught = sum(verdict.caught_by is not None for verdict in of_file)
        print(f"| {path} | {len(of_file)} | {caught} | {len(of_file) - caught} |")
    print("\n| Caught by | Mutants |\n|---|---|")
    catchers = Counter(_file_of(verdict) for verdict in verdicts if verdict.caught_by)
    for name, count in catchers.most_common():
        print(f"| {name} | {count} |")
    reasons = _reasons()
    survivors = [verdict for verdict in verdicts if verdict.caught_by is None]
    unexplained = [verdict for verdict in survivors if verdict.mutant.name not in reasons]
    for verdict in unexplained:
        mutant = verdict.mutant
        print(f"line {mutant.line}, {verdict.tests} tests: {mutant.name}")
    print(
        f"{len(verdicts)} mutants, {len(survivors)} survivors, {len(unexplained)} of them without "
        f"a reason; {runner.left} were not tried."
    )
    return 1 if unexplained or runner.broken else 0


def _file_of(verdict: Verdict) -> str:
    assert verdict.caught_by is not None
    return verdict.caught_by.split("::")[0]


def _reasons() -> set[str]:
    """The survivors of which `reasons.txt` says why."""
    lines = REASONS.read_text(encoding="utf-8").splitlines()
    return {line.strip() for line in lines if line and not line.startswith(("#", " "))}


if __name__ == "__main__":
    sys.exit(main())
