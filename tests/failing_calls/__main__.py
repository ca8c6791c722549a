"""Every call to the system that can fail is made to fail once: `python -m tests.failing_calls`.

The calls of an identity and its journal first; then those of a game of two, begun and saved, and
resumed to its end. The calls are numbered, and the game is played again for each number and for
each way in which calls fail. What has failed ends the program in a sentence or in none; nothing is
lost, nobody is exposed, and the next start goes on.

`--every K` tries each Kth number. With `--results FILE` a run that was stopped goes on where it
was. Linux with a C compiler; in a network namespace of its own, where one can be made.
"""

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.failing_calls.shim import FAULTS, MEMORY, shimmed_environment, why_not

SCENES = ("begin", "end")
PLAYERS = ("0", "1")


def main(arguments: Sequence[str] | None = None) -> int:
    """1 if something does not hold after a call that has failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.failing_calls", description=__doc__)
    parser.add_argument("--every", type=int, default=1, metavar="K")
    parser.add_argument("--fault", action="append", choices=tuple(FAULTS), help="only that one")
    parser.add_argument("--scene", action="append", choices=("journal", *SCENES))
    parser.add_argument("--results", type=Path, metavar="FILE", help="lines of games, kept")
    parser.add_argument("--seconds", type=float, default=1e9, metavar="S", help="for each scene")
    given = parser.parse_args(arguments)
    if reason := why_not():
        print(f"No call can be made to fail here: {reason}.")
        return 2
    with TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
        results = given.results or Path(folder) / "results"
        results.touch()
        environment = {**os.environ, **shimmed_environment(Path(folder))}
        wrong = 0
        for fault in given.fault or FAULTS:
            if not given.scene or "journal" in given.scene:
                wrong += _try_journal(fault, given.every, Path(folder), environment)
            for scene in given.scene or SCENES:
                for player in PLAYERS if scene in SCENES else ():
                    words = (scene, player, fault)
                    _try_games(words, given.every, given.seconds, results, environment)
        lines = results.read_text().splitlines()
    bad = [line for line in lines if not _holds(line)]
    print(*bad, "", *_table(lines), sep="\n")
    return 1 if wrong or bad else 0


def _holds(line: str) -> bool:
    return line.endswith(": holds")


def _table(lines: Sequence[str]) -> Iterator[str]:
    """For each scene and fault: the games in which a call has failed, and how many are wrong."""
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
    """1 if something does not hold."""
    with TemporaryDirectory(dir=folder) as homes:
        module = "tests.failing_calls.journal_calls"
        command = [sys.executable, "-m", module, fault, f"{every}", homes]
        return int(subprocess.run(command, env=environment, check=False).returncode != 0)


def _try_games(
    words: Sequence[str],
    every: int,
    seconds: float,
    results: Path,
    environment: Mapping[str, str],
) -> None:
    """The games of one scene, player and fault that `results` lacks."""
    done = [line.split() for line in results.read_text().splitlines()]
    tried = [line for line in done if tuple(line[:3]) == tuple(words)]
    if any("not reached" in " ".join(line) for line in tried):
        return
    first = max((int(line[3]) + every for line in tried), default=1)
    module = "tests.failing_calls.table_calls"
    command = [sys.executable, "-m", module, *words, f"{first}", f"{every}", f"{seconds}"]
    with (
        subprocess.Popen(
            [*_in_a_network_of_its_own(), *command],
            env=environment,
            stdout=subprocess.PIPE,
            text=True,
        ) as process,
        results.open("a") as file,
    ):
        assert process.stdout is not None
        for line in process.stdout:
            print(line, end="", flush=True)
            file.write(line)
            file.flush()


def _in_a_network_of_its_own() -> Sequence[str]:
    """Words in front of a command."""
    if shutil.which("unshare") is None:
        return ()
    words = ("unshare", "--net")
    return words if subprocess.run([*words, "true"], check=False).returncode == 0 else ()


if __name__ == "__main__":
    raise SystemExit(main())
