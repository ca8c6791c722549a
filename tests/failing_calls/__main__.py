"""Failures of every system call that can fail, one at a time: `python -m tests.failing_calls`.

First the calls that make and use an identity and its journal fail, then those of a match of two
players: while it begins, and while it is resumed and played to its end. The calls are numbered, and
the match is played again for each number and for each way in which calls fail. The program must end
with a sentence or go on. Nothing may be lost, nobody may be exposed, and after the next start the
match must go on.

`--every K` tries each Kth number. A match waits more than it computes, so `--jobs N` matches are
played at a time, each in its own network namespace, or one at a time without namespaces. Linux with
a C compiler.
"""

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from itertools import chain, product
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.failing_calls.shim import FAULTS, MEMORY, shimmed_environment, why_not

SCENES = ("begin", "end")
PLAYERS = ("0", "1")
_FOR_EACH_CORE = 4
"""Number of games at a time for each core: a game computes for about a quarter of its time."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Try the calls; return 1 if anything is wrong after a failed call."""
    parser = argparse.ArgumentParser(prog="python -m tests.failing_calls", description=__doc__)
    parser.add_argument("--every", type=int, default=1, metavar="K")
    parser.add_argument("--fault", action="append", choices=tuple(FAULTS), help="only this one")
    parser.add_argument("--scene", action="append", choices=("journal", *SCENES))
    jobs = _FOR_EACH_CORE * (os.cpu_count() or 1)
    parser.add_argument("--jobs", type=int, default=jobs, metavar="N", help="games at a time")
    given = parser.parse_args(arguments)
    if reason := why_not():
        print(f"No call can be made to fail here: {reason}.")
        return 2
    chosen, faults = given.scene or ("journal", *SCENES), given.fault or tuple(FAULTS)
    with TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
        environment = {**os.environ, **shimmed_environment(Path(folder))}
        wrong = False
        for fault in faults if "journal" in chosen else ():
            wrong |= _is_wrong_for_a_journal(fault, given.every, folder, environment)
        kinds = product([scene for scene in SCENES if scene in chosen], PLAYERS, faults)
        with ThreadPoolExecutor(given.jobs if _in_a_network_of_its_own() else 1) as threads:
            games = threads.map(partial(_played, given.every, environment), kinds)
            lines = list(chain.from_iterable(games))
    bad = [line for line in lines if not _holds(line)]
    print(*bad, "", *_table(lines), sep="\n")
    return 1 if wrong or bad else 0


def _holds(line: str) -> bool:
    return line.endswith(": holds")


def _table(lines: Sequence[str]) -> Iterator[str]:
    """Return a table of scenes and faults: games with a failed call, and wrong ones among them."""
    yield "| scene | fault | calls that failed | wrong |"
    yield "| --- | --- | --- | --- |"
    played = [line for line in lines if "not reached" not in line]
    cells = [(scene, fault, line) for line in played for scene, _, fault, *_ in [line.split()]]
    for scene, fault in product(SCENES, FAULTS):
        games = [line for *cell, line in cells if cell == [scene, fault]]
        if games:
            wrong = len(games) - sum(map(_holds, games))
            yield f"| {scene} | {fault} | {len(games)} | {wrong} |"


def _is_wrong_for_a_journal(
    fault: str, every: int, folder: str, environment: Mapping[str, str]
) -> bool:
    """Try the calls of a journal; return True if anything is wrong."""
    with TemporaryDirectory(dir=folder) as homes:
        command = [sys.executable, "-m", "tests.failing_calls.journal_calls", fault, f"{every}"]
        return subprocess.run([*command, homes], env=environment, check=False).returncode != 0


def _played(every: int, environment: Mapping[str, str], words: Sequence[str]) -> list[str]:
    """Play the games of one scene, player and fault; print and return a line for each."""
    lines = []
    module = (sys.executable, "-m", "tests.failing_calls.table_calls")
    with subprocess.Popen(
        [*_in_a_network_of_its_own(), *module, *words, f"{every}"],
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            print(line, end="", flush=True)
            lines.append(line.rstrip())
    return lines if process.returncode == 0 else [*lines, f"{' '.join(words)} stopped: an error"]


@cache
def _in_a_network_of_its_own() -> Sequence[str]:
    """Return the words that run a command in its own network namespace; none if impossible."""
    if shutil.which("unshare") is None:
        return ()
    words = ("unshare", "--net")
    return words if subprocess.run([*words, "true"], check=False).returncode == 0 else ()


if __name__ == "__main__":
    raise SystemExit(main())
