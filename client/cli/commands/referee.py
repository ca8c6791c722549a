"""`sobremesa referee FILE`: settles disputes. States positions and moves, and says what the rules
say, with the clause.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from attrs import asdict

from client.i18n.language import _, number
from client.i18n.sentences import said
from client.record_files import RecordError
from client.ui.text.console import Console
from engine.errors import NotationError
from engine.notation.referee import Ruling, rulings

_LARGEST = 4 * 1024 * 1024


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files", nargs="+", metavar=_("FILE"), help=_("cases to judge; - reads input")
    )
    parser.add_argument("--json", action="store_true", help=_("one JSON object a line"))


def run(arguments: argparse.Namespace) -> int:
    """0 when all that the files expect has come (or they expect nothing), 1 when not.

    Raises NotationError and RecordError for what cannot be read.
    """
    console = Console()
    found: list[Ruling] = []
    for name in arguments.files:
        try:
            for ruling in rulings(_read(name)):
                found.append(ruling)
                for line in [as_json(ruling)] if arguments.json else as_text(ruling):
                    console.line(line)
        except NotationError as error:
            raise NotationError("{file}: {error}", file=name, error=error) from error
    expected = [expectation.met for ruling in found for expectation in ruling.expectations]
    if expected and not arguments.json:
        console.line(
            _("{met} of {all} expectations hold.").format(met=sum(expected), all=len(expected))
        )
    return 0 if all(expected) else 1


def as_text(ruling: Ruling) -> Iterator[str]:
    """The ruling in one line, then its score if it has one, then what has not come."""
    line = _("{case}, line {number}: {text}: {verdict}")
    yield line.format(
        case=ruling.case, number=ruling.line, text=ruling.text, verdict=_verdict(ruling)
    )
    for side, items in enumerate(ruling.sheet.sides if ruling.sheet else (), 1):
        for item in items:
            named = _("side {side}: {item}").format(side=side, item=_(item.what))
            yield f"    {named} ({item.count}) {number(item.points)} [{item.clause}]"
    for expectation in ruling.expectations:
        if not expectation.met:
            yield "    " + _("BUT EXPECTED: {line}").format(line=expectation.text)


def _verdict(ruling: Ruling) -> str:
    if not ruling.legal:
        assert ruling.why is not None
        return _("illegal [{clause}] {why}").format(clause=ruling.clause, why=said(ruling.why))
    assert ruling.after is not None
    return _("legal: {after}").format(after=said(ruling.after))


def as_json(ruling: Ruling) -> str:
    """The ruling as one JSON object."""
    fields: dict[str, Any] = {
        "case": ruling.case,
        "line": ruling.line,
        "text": ruling.text,
        "verdict": "legal" if ruling.legal else "illegal",
    }
    if ruling.legal:
        fields["after"] = str(ruling.after)
    else:
        fields |= {"clause": ruling.clause, "why": str(ruling.why)}
    if ruling.sheet is not None:
        sides = zip(ruling.sheet.totals, ruling.sheet.sides, strict=True)
        fields["score"] = [
            {"points": points, "items": [asdict(item) for item in items]} for points, items in sides
        ]
    fields["expectations"] = [asdict(expectation) for expectation in ruling.expectations]
    return json.dumps(fields)


def _read(name: str) -> str:
    try:
        if name == "-":
            data = sys.stdin.buffer.read(_LARGEST + 1)
        else:
            with Path(name).open("rb") as file:
                data = file.read(_LARGEST + 1)
        if len(data) > _LARGEST:
            raise RecordError(
                _("{name} is larger than {most} bytes: no file of cases is.").format(
                    name=name, most=number(_LARGEST)
                )
            )
        return data.decode("utf-8-sig")
    except OSError as error:
        raise RecordError(
            _("{name} cannot be read: {why}.").format(name=name, why=error.strerror)
        ) from error
    except UnicodeDecodeError as error:
        raise RecordError(
            _("{name} is no text: cases are written in UTF-8.").format(name=name)
        ) from error
