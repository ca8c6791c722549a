"""Failures of every system call that can fail, one at a time: `python -m tests.failing_calls`.

First the calls that make and use an identity and its journal fail, then those of a match of two
players: while it begins, and while it is resumed and played to its end. The calls are numbered, and
the match is played again for each number and for each way in which calls fail. The program must end
with a sentence or go on. Nothing may be lost, nobody may be exposed, and after the next start the
match must go on.

`--every K` tries each Kth number. With `--results FILE` a run that was stopped continues later. A
match waits more than it computes, so `--jobs N` matches are played at a time, each in its own
network namespace, or one at a time without namespaces. Linux with a C compiler.
"""

import argparse
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

from attrs import frozen

from tests.failing_calls.shim import FAULTS, MEMORY, shimmed_environment, why_not

SCENES = ("begin", "end")
PLAYERS = ("0", "1")
_FOR_EACH_CORE = 4
"""Number of games at a time for each core: a game computes for about a quarter of its time."""


@frozen
class Games:
    """Settings of all games, and the file of results, which has a line for each game."""

    every: int
    seconds: float
    results: Path
    environment: Mapping[str, str]
    lock: threading.Lock

    def line(self, line: str) -> None:
        with self.lock, self.results.open("a") as file:
            file.write(line)
            print(line, end="", flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Try the calls; return 1 if anything is wrong after a failed call."""
    parser = argparse.ArgumentParser(prog="python -m tests.failing_calls", description=__doc__)
    parser.add_argument("--every", type=int, default=1, metavar="K")
    parser.add_argument("--fault", action="append", choices=tuple(FAULTS), help="only this one")
    parser.add_argument("--scene", action="append", choices=("journal", *SCENES))
    parser.add_argument("--results", type=Path, metavar="FILE", help="a line for each game")
    parser.add_argument(
        "--seconds",
        type=float,
        default=1e9,
        metavar="S",
        help="limit for each scene, player and fault",
    )
    jobs = _FOR_EACH_CORE * (os.cpu_count() or 1)
    parser.add_argument("--jobs", type=int, default=jobs, metavar="N", help="games at a time")
    given = parser.parse_args(arguments)
    if reason := why_not():
        print(f"No call can be made to fail here: {reason}.")
        return 2
    with TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
        results = given.results or Path(folder) / "results"
        results.touch()
        environment = {**os.environ, **shimmed_environment(Path(folder))}
        wrong = 0
        if not given.scene or "journal" in given.scene:
            for fault in given.fault or FAULTS:
                wrong += _try_journal(fault, given.every, Path(folder), environment)
        games = Games(given.every, given.seconds, results, environment, threading.Lock())
        scenes = [scene for scene in given.scene or SCENES if scene in SCENES]
        kinds = list(product(scenes, PLAYERS, given.fault or FAULTS))
        with ThreadPoolExecutor(given.jobs if _in_a_network_of_its_own() else 1) as threads:
            for played in [threads.submit(_try_games, kind, games) for kind in kinds]:
                played.result()
        lines = results.read_text().splitlines()
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


def _try_journal(fault: str, every: int, folder: Path, environment: Mapping[str, str]) -> int:
    """Try the calls of a journal; return 1 if anything is wrong."""
    with TemporaryDirectory(dir=folder) as homes:
        module = "tests.failing_calls.journal_calls"
        command = [sys.executable, "-m", module, fault, f"{every}", homes]
        return int(subprocess.run(command, env=environment, check=False).returncode != 0)


def _try_games(words: Sequence[str], games: Games) -> None:
    """Play the games of one scene, player and fault that are not in the results yet."""
    done = [line.split() for line in games.results.read_text().splitlines()]
    tried = [line for line in done if tuple(line[:3]) == tuple(words)]
    if any("not reached" in " ".join(line) for line in tried):
        return
    first = max((int(line[3]) + games.every for line in tried), default=1)
    numbers = f"{first}", f"{games.every}", f"{games.seconds}"
    module = "tests.failing_calls.table_calls"
    with subprocess.Popen(
        [*_in_a_network_of_its_own(), sys.executable, "-m", module, *words, *numbers],
        env=games.environment,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            games.line(line)


@cache
def _in_a_network_of_its_own() -> Sequence[str]:
    """Return the words that run a command in its own network namespace; none if impossible."""
    if shutil.which("unshare") is None:
        return ()
    words = ("unshare", "--net")
    return words if subprocess.run([*words, "true"], check=False).returncode == 0 else ()


if __name__ == "__main__":
    raise SystemExit(main())
