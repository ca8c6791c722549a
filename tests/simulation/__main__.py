"""`python -m tests.simulation --tables N --seed S`: so many tables, with the seeds from S on.

A table on which an oracle has found something is told with its seed; `--tables 1 --seed S` is that
table again.
"""

import argparse
import sys
import time
import traceback
from collections import Counter

from tests.simulation.simulation import Simulation
from tests.simulation.tables import without_proofs


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin none later")
    arguments = parser.parse_args()
    figures, failed, begun = Counter[str](), [], time.monotonic()
    with without_proofs():
        for seed in range(arguments.seed, arguments.seed + arguments.tables):
            if time.monotonic() - begun > arguments.seconds:
                break
            simulation = Simulation(seed)
            try:
                simulation.run()
            except Exception:
                failed.append(seed)
                print(f"seed {seed}:")
                traceback.print_exc(limit=-3, file=sys.stdout)
            figures += simulation.figures
            figures["tables"] += 1
            figures["tables with cheats"] += bool(simulation.cheats)
    for name, number in sorted(figures.items()):
        print(f"{number:>10}  {name}")
    print(f"{len(failed):>10}  with a wrong verdict: {failed[:20]}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
