"""`python -m tests.bench ledger`: the time to add up many records, and to add them up again.

A round of each game is played by its usual number of players; the files are copies of these records
in turn. Each file is audited alone: no cache is shared with other files. The floor is the cost of
the proofs and signatures of all files in the bare library, divided by the number of processes.
"""

import argparse
import os
import random
import tempfile
from pathlib import Path

from client.record_files import SUFFIX
from client.reports.ledger.audit_files import audit_files
from client.reports.ledger.ledger import ledger_of
from engine.games import GAMES
from tests.bench.audit import LocalMatch
from tests.bench.deal import timed
from tests.bench.figures import Figures, add_number


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `run`."""
    add_number(parser, "--records", len(GAMES), 10_000, 100, "files to add up")
    parser.add_argument("--seed", type=int, default=1, help="fixes the choices, not the shuffle")


def run(records: int, seed: int) -> list[Figures]:
    """Play a round of each game, and add up `records` files.

    `again_s` is the time of adding them up with the results of all files in the cache.
    """
    processes = min(records, os.cpu_count() or 1)
    played, floors = [], []
    for game in GAMES.values():
        match = LocalMatch.sit(game.name, game.usual_players, rounds=1)
        match.play(random.Random(seed))
        played.append(match.record)
        floors.append(timed(match.bare())[1])
    copies = [place % len(played) for place in range(records)]
    with tempfile.TemporaryDirectory(prefix="sobremesa-bench-") as folder:
        files = [Path(folder) / f"{number}{SUFFIX}" for number in range(records)]
        for file, place in zip(files, copies, strict=True):
            file.write_bytes(played[place])

        def add_up() -> None:
            audited = audit_files(files, Path(folder), lambda _text: None)
            ledger = ledger_of(zip(map(str, files), audited, strict=True))
            if len(ledger.backings) != len(played):
                raise RuntimeError("records that were just played are not sound")

        first = timed(add_up)[1]
        again = timed(add_up)[1]
    floor_s = sum(floors[place] for place in copies) / processes
    return [
        {
            "records": records,
            "bytes": sum(len(played[place]) for place in copies),
            "processes": processes,
            "first_s": first,
            "again_s": again,
            "floor_s": floor_s,
            "floor_ratio": first / floor_s,
            "records_per_s": records / first,
        }
    ]
