"""Command that measures the program's speed on this machine, and the strength of the opponents.

    python -m tests.bench deal           lock, shuffle, prove and verify a deck
    python -m tests.bench audit          check a record that was just played
    python -m tests.bench ledger         add up many records, on all cores
    python -m tests.bench engine         the rules alone, without cryptography
    python -m tests.bench table          how long people wait at a table of real processes
    python -m tests.bench start          from the command to the first word or screen
    python -m tests.bench opponents      let the levels play matches

With `--json` the figures are one line of JSON, which `>>` adds to a file. `BENCHMARKS.md` has the
figures measured so far.
"""

import argparse
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from engine.sentences import SentenceError
from tests.bench import audit, deal, engine, ledger, opponents, opponents_tables, start, table

BENCHES: Mapping[str, tuple[Any, Any]] = {
    "deal": (deal, deal.render),
    "audit": (audit, audit.render),
    "ledger": (ledger, ledger.render),
    "engine": (engine, engine.render),
    "table": (table, table.render),
    "start": (start, start.render),
    "opponents": (opponents, opponents_tables.render),
}
"""Modules with `add_arguments`, `run`, `as_json` and a function that renders their results."""


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench")
    kinds = parser.add_subparsers(dest="what", required=True)
    for name, (bench, _render) in BENCHES.items():
        kind = kinds.add_parser(name)
        bench.add_arguments(kind)
        kind.add_argument("--json", action="store_true", help="one line of JSON")
    given = vars(parser.parse_args(words))
    bench, render = BENCHES[given.pop("what")]
    is_json = given.pop("json")
    try:
        measured = bench.run(**given)
    except SentenceError as error:
        parser.error(str(error))
    print(bench.as_json(measured) if is_json else render(measured))
    return 0


if __name__ == "__main__":
    sys.exit(main())
