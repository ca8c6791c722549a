"""`sobremesa bench ledger`: the time to add up many records on all cores, and again from the cache.

A round of each game is played between its usual number of players, and the files are copies of
these in turn: each is audited by itself, in a process that knows nothing of the others. The floor
is the cost of the proofs and signatures of all files in the bare library, shared by all processes.
"""

import json
import os
import random
import tempfile
from pathlib import Path

from attrs import asdict, frozen

from client.bench.audit import LocalMatch, signature_floor, total_work
from client.bench.deal import floor, timed
from client.bench.figures import aligned, in_seconds, rounded
from client.errors import check_number
from client.i18n.language import _, _n, decimal
from client.record_files import SUFFIX
from client.reports.ledger.audit_files import audit_files
from client.reports.ledger.ledger import ledger_of
from engine.games import GAMES
from protocol.record import record_parts

_MOST = 10_000


@frozen
class LedgerBench:
    """Results of the bench for `records` files."""

    records: int
    bytes: int
    processes: int
    first_s: float
    """Seconds for the first time."""
    again_s: float
    """Seconds for the second time."""
    floor_s: float


def run(records: int, seed: int) -> LedgerBench:
    """Play a round of each game and add up so many files. Raises BadRequest."""
    check_number("--records", records, len(GAMES), _MOST)
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
    head = _("{records} of a round, {bytes}, on {processes}").format(
        records=_n("{n} record", "{n} records", bench.records),
        bytes=_n("{n} byte", "{n} bytes", bench.bytes),
        processes=_n("{n} process", "{n} processes", bench.processes),
    )
    ratio = _("{ratio} × floor").format(ratio=decimal(bench.first_s / bench.floor_s, 2))
    rows = [
        (_("first time"), in_seconds(bench.first_s), ratio),
        (_("again"), in_seconds(bench.again_s), _("remembered by their digests")),
        (_("floor"), in_seconds(bench.floor_s), _("the bare library, on all processes")),
        (_("records"), decimal(bench.records / bench.first_s, 1), _("a second")),
    ]
    return "\n".join([head, *aligned(rows)])
