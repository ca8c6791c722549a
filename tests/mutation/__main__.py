"""Mutation testing: `python -m tests.mutation` changes the code place by place and runs the tests.

    python -m tests.mutation                        all packages, each by its own tests
    python -m tests.mutation protocol/evidence.py   one file
    python -m tests.mutation p2p --sample 200       200 mutants, the same each time

A mutant that no test notices is a survivor. `reasons.txt` has the reasons why survivors may
survive. The exit code is 1 if a survivor has no reason, if a mutant was not tried to the end, or if
a test fails without any mutant. Results are kept in a file: a run can stop and continue later, and
the next run tries only mutants for which something has changed. The system must be able to fork.
"""

import argparse
import hashlib
import math
import os
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path

import platformdirs
import pytest

from tests.mutation import report
from tests.mutation.results import Results
from tests.mutation.runner import CAN_RUN, Runner
from tests.mutation.switchboard import ROOT, Switchboard, listed
from tests.mutation.switches import Mutant

PACKAGES = {
    "engine": ("tests/engine", "tests/test_made_up_game.py", "tests/spec/test_generated_texts.py"),
    "protocol": (
        *("tests/protocol", "tests/attacks", "tests/spec"),
        *("tests/p2p/match", "tests/simulation/test_exploration.py"),  # whole continuations
    ),
    "p2p": ("tests/p2p",),
    "client": ("tests/client",),
    "spec": (
        "tests/spec",
        "tests/protocol/test_compatibility.py",
        "tests/p2p/table/test_evidence.py",
    ),
}
"""The tests that should notice the mutants of each package."""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutation")
    parser.add_argument("paths", nargs="*", default=list(PACKAGES), help="files or folders")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument(
        "--effort", type=float, default=math.inf, help="processor seconds of tests for one mutant"
    )
    parser.add_argument("--sample", type=int, help="number of mutants of each package")
    parser.add_argument("--seed", type=int, default=1, help="seed of the sample")
    parser.add_argument("--results", type=Path, help="folder of results")
    parser.add_argument("--afresh", action="store_true", help="forget earlier results")
    parser.add_argument("--report", action="store_true", help="only print the results")
    given = parser.parse_args(arguments)
    if not CAN_RUN:
        parser.error("this system cannot fork processes; Linux and macOS can")
    folder = given.results or platformdirs.user_cache_path("sobremesa") / "mutants"
    judged = []
    for package in PACKAGES:
        files = [file for path in given.paths for file in sources(path, package)]
        if not files:
            continue
        mutants = listed(sources(package, package))
        chosen = sample([one for file in files for one in mutants[file]], given.sample, given.seed)
        path = folder / f"{package}.jsonl"
        if not given.report:
            if given.afresh:
                path.unlink(missing_ok=True)
            judge(package, mutants, chosen, path, given.jobs, given.effort)
        results = Results.open(path, mutants)
        found = {one: results.verdict(one, mutants[one.path][0].number) for one in chosen}
        verdicts = {one: verdict for one, verdict in found.items() if verdict}
        of_all = sum(map(len, mutants.values()))
        judged.append(report.Judged(package, of_all, chosen, verdicts, results.broken))
    known = report.reasons(report.REASONS.read_text(encoding="utf-8"))
    for one in judged:
        print(*report.details(one, known), sep="\n")
    print("", *report.table(judged, known), sep="\n")
    return 1 if any(report.is_unfinished(one, known) for one in judged) else 0


def sources(path: str, package: str) -> list[str]:
    """Return the files at this path that belong to the package."""
    place = ROOT / path
    found = [place] if place.suffix == ".py" else sorted(place.rglob("*.py"))
    names = [file.relative_to(ROOT).as_posix() for file in found]
    return [name for name in names if name.split("/")[0] == package]


def sample(mutants: Sequence[Mutant], number: int | None, seed: int) -> list[Mutant]:
    """Return `number` mutants, drawn by seed and name; a new mutant displaces at most one."""

    def lot(mutant: Mutant) -> bytes:
        return hashlib.sha256(f"{seed} {mutant.name}".encode()).digest()

    return sorted(mutants, key=lot)[:number]


def judge(
    package: str,
    mutants: dict[str, list[Mutant]],
    chosen: Sequence[Mutant],
    path: Path,
    jobs: int,
    effort: float,
) -> None:
    """Run the package's tests against the chosen mutants, in a separate process.

    That process imports this package with its mutants, and the other packages without.
    """
    print(f"{package}: {len(chosen)} of {sum(map(len, mutants.values()))} mutants", flush=True)
    if pid := os.fork():
        os.waitpid(pid, 0)
        return
    # Some mutants never do what a test waits for. Such a test must fail before the runner's own
    # limit ends it.
    os.environ["SOBREMESA_PATIENCE"] = "60"
    try:
        board = Switchboard(mutants)
        runner = Runner(board, Results.open(path, mutants), chosen, jobs, effort)
        board.install()
        options = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-o", "addopts="]
        pytest.main([*options, "--import-mode=importlib", *PACKAGES[package]], plugins=[runner])
        sys.stdout.flush()
    except BaseException:
        traceback.print_exc()
        raise
    finally:
        os._exit(0)


if __name__ == "__main__":
    sys.exit(main())
