"""The command `python -m tests.simulation`, which plays simulated tables with consecutive seeds.

    python -m tests.simulation --tables 10000 --seed 1 --jobs 2

If an oracle finds an error at a table, the table's seed is printed. To make that table a test, add
a line to `seeds.txt` with the seed and what was wrong.
"""

import argparse
import multiprocessing
import sys
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence

from tests.protocol.proofless import without_proofs
from tests.simulation.simulation import Simulation
from tests.simulation.starts import simulated_nodes


def played(seed: int) -> tuple[int, Counter[str], str]:
    """Play the table with that seed; return the seed, figures, and the error or an empty text."""
    with without_proofs(), simulated_nodes():
        simulation, error = Simulation(seed), ""
        try:
            simulation.run()
        except Exception:
            error = traceback.format_exc(limit=-3)
    figures = simulation.figures
    figures["tables with cheats"] += bool(simulation.cheats.machines)
    figures[f"tables of {simulation.kind}"] += 1
    return seed, figures, error


def _all(seeds: range, jobs: int) -> Iterator[tuple[int, Counter[str], str]]:
    if jobs == 1:
        yield from map(played, seeds)
        return
    with multiprocessing.Pool(jobs) as pool:
        yield from pool.imap_unordered(played, seeds, chunksize=5)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.simulation",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1, help="seed of the first table")
    parser.add_argument("--jobs", type=int, default=1, help="number of processes")
    given = parser.parse_args(arguments)
    figures, failed = Counter[str](tables=given.tables), list[int]()
    for seed, found, error in _all(range(given.seed, given.seed + given.tables), given.jobs):
        figures += found
        if error:
            print(f"seed {seed}:\n{error}", flush=True)
            failed.append(seed)
    for name, number in sorted(figures.items()):
        print(f"{number:>10}  {name}")
    print(f"{len(failed):>10}  with an error: {', '.join(map(str, sorted(failed)[:20]))}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
