"""The command `python -m tests.simulation`, which plays simulated tables with consecutive seeds.

    python -m tests.simulation --tables 100 --seed 1
    python -m tests.simulation --tables 10000 --jobs 2 --results FILE
    python -m tests.simulation --keep SEED "what was wrong"

`FILE` keeps the results of the tables that have been played, so an interrupted run can continue. If
an oracle finds an error at a table, the table's seed is printed; `--keep` makes that seed a test.
"""

import argparse
import json
import multiprocessing
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from attrs import asdict, field, frozen

from tests.protocol.proofless import without_proofs
from tests.simulation.simulation import Simulation
from tests.simulation.starts import simulated_nodes

SEEDS = Path(__file__).with_name("seeds.txt")

_BLOCK = 5


@frozen
class Block:
    """The results of `tables` tables, with seeds from `first` on, and their errors by seed."""

    first: int
    tables: int
    figures: dict[str, int] = field(factory=dict)
    failed: dict[str, str] = field(factory=dict)


def played(first: int, tables: int, *, proofs: bool = False) -> Block:
    """Play so many tables, with seeds from `first` on, and return the results."""
    figures, failed = Counter[str](), {}
    with ExitStack() as patches:
        if not proofs:
            patches.enter_context(without_proofs())
        patches.enter_context(simulated_nodes())
        for seed in range(first, first + tables):
            simulation = Simulation(seed)
            try:
                simulation.run()
            except Exception:
                failed[str(seed)] = traceback.format_exc(limit=-3)
            figures += simulation.figures
            figures["tables with cheats"] += bool(simulation.cheats.machines)
            figures[f"tables of {simulation.kind}"] += 1
    return Block(first, tables, dict(figures), failed)


def _played(block: tuple[int, int, bool]) -> Block:
    return played(block[0], block[1], proofs=block[2])


def _recalled(results: Path | None) -> list[Block]:
    if results is None or not results.exists():
        return []
    return [Block(**json.loads(line)) for line in results.read_text("utf-8").splitlines()]


def _all(arguments: argparse.Namespace) -> Iterator[Block]:
    """Yield all blocks, including those played in earlier runs."""
    recalled = {block.first: block for block in _recalled(arguments.results)}
    yield from recalled.values()
    end = arguments.seed + arguments.tables
    firsts = [first for first in range(arguments.seed, end, _BLOCK) if first not in recalled]
    tasks = [(first, min(_BLOCK, end - first), arguments.proofs) for first in firsts]
    deadline = time.monotonic() + arguments.seconds
    with multiprocessing.Pool(arguments.jobs) as pool:
        for block in pool.imap_unordered(_played, tasks):
            if arguments.results is not None:
                with arguments.results.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(asdict(block)) + "\n")
            yield block
            if time.monotonic() > deadline:
                pool.terminate()
                return


def keep(seed: str, reason: str) -> None:
    """Make that seed a test: `test_simulation.py` plays every seed in the file."""
    with SEEDS.open("a", encoding="utf-8") as file:
        file.write(f"{int(seed)} {reason}\n")


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.simulation",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="number of processes")
    parser.add_argument("--seconds", type=float, default=1e9, help="after them no table is begun")
    parser.add_argument("--results", type=Path, help="file of results")
    parser.add_argument("--proofs", action="store_true", help="make all proofs (slow)")
    parser.add_argument("--keep", nargs=2, metavar=("SEED", "REASON"))
    arguments = parser.parse_args()
    if arguments.keep:
        keep(*arguments.keep)
        return 0
    figures, failed = Counter[str](), dict[str, Any]()
    for block in _all(arguments):
        for seed, what in block.failed.items():
            print(f"seed {seed}:\n{what}", flush=True)
        figures += Counter({**block.figures, "tables": block.tables})
        failed |= block.failed
    for name, number in sorted(figures.items()):
        print(f"{number:>10}  {name}")
    print(f"{len(failed):>10}  with an error: {', '.join(sorted(failed)[:20])}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
