"""`sobremesa referee FILE`: settles disputes. States positions and moves, and says what the rules
say, with the clause.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from client.console import Console
from client.records import RecordError
from engine.referee import Ruling, failed, rulings

_LARGEST = 4 * 1024 * 1024


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", help="cases to judge; - reads input")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")


def run(arguments: argparse.Namespace) -> int:
    """0 when all that the files expect has come (or they expect nothing), 1 when not.

    Raises NotationError and RecordError for what cannot be read.
    """
    console = Console()
    found: list[Ruling] = []
    for name in arguments.files:
        for ruling in rulings(_read(name)):
            found.append(ruling)
            for line in [as_json(ruling)] if arguments.json else as_text(ruling):
                console.line(line)
    expected = [ruling for ruling in found if ruling.met is not None]
    if expected and not arguments.json:
        held = sum(bool(ruling.met) for ruling in expected)
        console.line(f"{held} of {len(expected)} expectations hold.")
    return 1 if failed(found) else 0


def as_text(ruling: Ruling) -> Iterator[str]:
    """The ruling in one line, then its score if it has one, then what did not come."""
    verdict = (
        f"legal: {ruling.after}" if ruling.legal else f"illegal [{ruling.clause}] {ruling.why}"
    )
    yield f"{ruling.case}, line {ruling.line}: {ruling.text}: {verdict}"
    for side, items in enumerate(ruling.sheet.sides if ruling.sheet else (), 1):
        for item in items:
            yield f"    side {side}: {item.what} ({item.count}) {item.points} [{item.clause}]"
    if ruling.met is False:
        yield f"    BUT EXPECTED: {ruling.expected}"


def as_json(ruling: Ruling) -> str:
    """The ruling as one JSON object."""
    sheet = ruling.sheet
    return json.dumps(
        {
            "case": ruling.case,
            "line": ruling.line,
            "text": ruling.text,
            "verdict": "legal" if ruling.legal else "illegal",
            "clause": ruling.clause,
            "why": ruling.why,
            "after": ruling.after,
            "score": sheet
            and [
                {
                    "total": total,
                    "items": [
                        {"what": i.what, "count": i.count, "points": i.points, "clause": i.clause}
                        for i in items
                    ],
                }
                for total, items in zip(sheet.totals, sheet.sides, strict=True)
            ],
            "expected": ruling.expected,
            "met": ruling.met,
        }
    )


def _read(name: str) -> str:
    try:
        data = sys.stdin.buffer.read(_LARGEST + 1) if name == "-" else Path(name).read_bytes()
        if len(data) > _LARGEST:
            raise RecordError(f"{name} is larger than {_LARGEST} bytes: no file of cases is.")
        return data.decode("utf-8")
    except OSError as error:
        raise RecordError(f"{name} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise RecordError(f"{name} is no text: cases are written in UTF-8.") from error
