"""Command that measures the program's speed on this machine, and the strength of the opponents.

    python -m tests.bench deal           lock, shuffle, prove and verify a deck
    python -m tests.bench audit          check a record that was just played
    python -m tests.bench ledger         add up many records, on all cores
    python -m tests.bench engine         the rules alone, without cryptography
    python -m tests.bench table          how long people wait at a table of real processes
    python -m tests.bench start          from the command to the first word or screen
    python -m tests.bench opponents      let the levels play matches

With `--json` the figures are printed as one line of JSON; `--json >> FILE` adds the line to a file.
`BENCHMARKS.md` has the figures measured so far.
"""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from types import ModuleType

from engine.sentences import SentenceError
from tests.bench import audit, deal, engine, ledger, opponents, start, table
from tests.bench.figures import rounded, tables

BENCHES: Mapping[str, ModuleType] = {
    "deal": deal,
    "audit": audit,
    "ledger": ledger,
    "engine": engine,
    "table": table,
    "start": start,
    "opponents": opponents,
}
"""Modules with `add_arguments`, and with `run`, which returns a list of `Figures`."""


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench")
    kinds = parser.add_subparsers(dest="what", required=True)
    for name, bench in BENCHES.items():
        kind = kinds.add_parser(name, description=bench.__doc__)
        bench.add_arguments(kind)
        kind.add_argument(
            "--json", action="store_true", help="print the figures as one line of JSON"
        )
    given = vars(parser.parse_args(words))
    bench, is_json = BENCHES[given.pop("what")], given.pop("json")
    try:
        measured = bench.run(**given)
    except SentenceError as error:
        parser.error(str(error))
    print(json.dumps(rounded(measured)) if is_json else "\n\n".join(tables(measured)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
