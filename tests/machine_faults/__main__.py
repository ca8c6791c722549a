"""Trial of every command under every fault of the machine: `python -m tests.machine_faults`.

Each pair of a command and a fault is a cell: the real command runs in its own process and home. A
cell is good if there is no traceback, the process ends by itself or by Ctrl-C, a command that fails
gives its reason in a sentence, and a command whose output was lost does not succeed. Faults that
this machine cannot make are named and left out. Help texts are tried only with a broken standard
output.
"""

import argparse
import os
import subprocess
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from tests.machine_faults.cells import COMMAND, COMMANDS, complaint_about, is_tried, run
from tests.machine_faults.faults import FAULTS, CannotBeMade


def main(arguments: Sequence[str] | None = None) -> int:
    """Try the cells that the arguments ask for; return 1 if one is not good."""
    parser = argparse.ArgumentParser(prog="python -m tests.machine_faults", description=__doc__)
    parser.add_argument("--command", action="append", choices=tuple(COMMANDS), help="only this one")
    parser.add_argument("--fault", action="append", choices=tuple(FAULTS), help="only this one")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N")
    parser.add_argument("--verbose", action="store_true", help="also print the good cells")
    given = parser.parse_args(arguments)
    cells = [
        (command, fault)
        for fault in given.fault or FAULTS
        for command in given.command or COMMANDS
        if is_tried(command, fault)
    ]
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(given.jobs) as pool:
        record = Path(folder) / "game.sobremesa"
        subprocess.run(
            [COMMAND, "demo", "--seed", "1", "--game", "canastra", "--record", record],
            env={**os.environ, "SOBREMESA_HOME": folder},
            check=True,
            capture_output=True,
        )
        results = []
        for (command, fault), result in zip(
            cells, pool.map(partial(_tried, record), cells), strict=True
        ):
            results.append(result)
            if given.verbose or result is not None:
                print(f"{command}, {fault}: {result or 'good'}", flush=True)
    left_out = sum(result is not None and result.startswith("left out") for result in results)
    bad = sum(result is not None for result in results) - left_out
    print(f"{len(cells) - left_out} cells tried, {left_out} left out, {bad} not good")
    return 1 if bad else 0


def _tried(record: Path, cell: tuple[str, str]) -> str | None:
    command, fault = cell
    try:
        return complaint_about(command, fault, record, run)
    except CannotBeMade as reason:
        return f"left out: {reason}"


if __name__ == "__main__":
    raise SystemExit(main())
