"""`python -m tests.bench ledger`: the time to add up many records, and to add them up again.

A round of each game is played by its usual number of players; the files are copies of these records
in turn. Each file is audited alone: no cache is shared with other files. The floor is the cost of
the proofs and signatures of all files in the bare library, divided by the number of processes.
"""

import argparse
import json
import os
import random
import tempfile
from pathlib import Path

from attrs import asdict, frozen

from client.record_files import SUFFIX
from client.reports.ledger.audit_files import audit_files
from client.reports.ledger.ledger import ledger_of
from engine.games import GAMES
from protocol.record_file import record_parts
from tests.bench.audit import LocalMatch, signature_floor, total_work
from tests.bench.deal import floor, timed
from tests.bench.figures import aligned, counted, in_seconds, rounded, whole


@frozen
class LedgerBench:
    """Results of the bench for `records` files."""

    records: int
    bytes: int
    processes: int
    first_s: float
    """Seconds for adding up all files the first time."""
    again_s: float
    """Seconds for adding them up again, with the results of all files in the cache."""
    floor_s: float


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `run`."""
    parser.add_argument("--records", type=whole(len(GAMES), 10_000), default=100, metavar="N")
    parser.add_argument("--seed", type=int, default=1, help="fixes the choices, not the shuffle")


def run(records: int, seed: int) -> LedgerBench:
    """Play a round of each game, and add up `records` files."""
    processes = min(records, os.cpu_count() or 1)
    played, floors = [], []
    for game in GAMES.values():
        match = LocalMatch.sit(game.name, game.usual_players, rounds=1)
        match.play(random.Random(seed))
        played.append(b"".join(record_parts([(match.table.charter, match.table.entries)])))
        points = floor(total_work(match.work))
        signatures = signature_floor(match.table.entries, game.usual_players)
        floors.append(timed(points)[1] + timed(signatures)[1])
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
    return LedgerBench(
        records,
        sum(len(played[place]) for place in copies),
        processes,
        first,
        again,
        sum(floors[place] for place in copies) / processes,
    )


def as_json(bench: LedgerBench) -> str:
    """Return all figures as one JSON object."""
    return json.dumps(rounded(asdict(bench) | {"floor_ratio": bench.first_s / bench.floor_s}))


def render(bench: LedgerBench) -> str:
    """Return the figures for people."""
    head = (
        f"{counted(bench.records, 'record')} of a round, {counted(bench.bytes, 'byte')}, "
        f"on {counted(bench.processes, 'process', 'processes')}"
    )
    ratio = f"{bench.first_s / bench.floor_s:,.2f} × floor"
    rows = [
        ("first time", in_seconds(bench.first_s), ratio),
        ("again", in_seconds(bench.again_s), "remembered by their digests"),
        ("floor", in_seconds(bench.floor_s), "the bare library, on all processes"),
        ("records", f"{bench.records / bench.first_s:,.1f}", "a second"),
    ]
    return "\n".join([head, *aligned(rows)])
