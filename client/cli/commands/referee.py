"""`sobremesa referee FILE`: settle disputes.

The files have positions and moves; the referee answers with rulings, each with its clause.
"""

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from attrs import asdict, define

from client.cli.judged_entry import judged_entry
from client.cli.record_command_helpers import replay_of
from client.cli.referee_example import example_case
from client.cli.spelling_suggestions import add_choice
from client.errors import BadRequest
from client.i18n.language import _, _n, number
from client.i18n.rulebook.text import clauses, common_rules, rules
from client.i18n.sentences import said
from client.record_files import RecordError
from client.ui.text.console import Console
from engine.errors import NotationError
from engine.games import GAMES, game_named
from engine.notation.referee import reports
from engine.notation.rulings import CaseReport, Ruling, RulingVerdict
from p2p.error_reasons import reason_of

_LARGEST = 4 * 1024 * 1024


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files", nargs="*", metavar=_("FILE"), help=_("cases to judge; - reads input")
    )
    parser.add_argument(
        "--at",
        type=int,
        metavar="N",
        help=_(
            "the file is a record: was its entry N a legal move, and which other moves were legal?"
        ),
    )
    add_choice(parser, "--example", tuple(GAMES), _("print a case of that game, to begin with"))
    parser.add_argument("--json", action="store_true", help=_("one JSON object in each line"))
    parser.add_argument("--show", action="store_true", help=_("print the position after each case"))


@define
class _Total:
    """Numbers of results over the cases of all files."""

    met: int = 0
    """Expectations that were met."""
    missed: int = 0
    """Expectations that were not met."""
    undecided: int = 0
    """Expectations and rulings that are undecided."""
    unreadable: int = 0
    """Cases that cannot be read."""
    judged: int = 0
    """Rulings."""

    def add(self, report: CaseReport) -> None:
        self.judged += len(report.rulings)
        for ruling in report.rulings:
            states = [each.met for each in ruling.expectations]
            self.met += states.count(True)
            self.missed += states.count(False)
            self.undecided += states.count(None)
            # An undecided ruling counts, unless the file has expectations about it.
            self.undecided += ruling.verdict is RulingVerdict.UNDECIDED and not states
        self.unreadable += report.problem is not None

    @property
    def expected(self) -> int:
        return self.met + self.missed

    @property
    def exit_code(self) -> int:
        """Return the exit code of the command.

        The code is 2 if something cannot be read, else 1 if an expectation failed, else 3 if
        something is undecided, else 0.
        """
        codes = ((self.unreadable, 2), (self.missed, 1), (self.undecided, 3))
        return next((code for count, code in codes if count), 0)


def run(arguments: argparse.Namespace) -> int:
    """Answer what the arguments ask for, and return the exit code.

    The code is that of `_Total`; with --at it is 0 for a legal move, else 1. If a file cannot be
    read at all, all other files are judged before NotationError or RecordError is raised. Raises
    BadRequest for arguments that do not go together.
    """
    if arguments.example:
        example_case(game_named(arguments.example), Console().exactly)
        return 0
    if not arguments.files:
        raise BadRequest("Name a file of cases. To begin with: {command}", command=_example())
    if arguments.at is not None:
        return _judge_entry(arguments)
    return _judge_cases(arguments)


def _example(game: str = "") -> str:
    """Return the command that prints an example of the game, by default of the first game."""
    return f"sobremesa referee --example {game or next(iter(GAMES))}"


def _game_of(lines: Iterable[str]) -> str:
    """Return the first game whose name begins a line; "" if none does, or it has no example."""
    first = (line.split()[0].lower() for line in lines if line.strip())
    game = next((word for word in first if word in GAMES), "")
    return game if game and game_named(game).example else ""


def _judge_entry(arguments: argparse.Namespace) -> int:
    """Judge an entry of a record, and return the exit code; raises the same errors as `run`."""
    if len(arguments.files) > 1:
        raise BadRequest("Use --at with one file only, which must be a record.")
    console = Console()
    judged = judged_entry(replay_of(Path(arguments.files[0]), console), arguments.at)
    if arguments.json:
        console.exactly(json.dumps(judged.as_json(show=arguments.show)))
    else:
        for line in judged.lines(show=arguments.show):
            console.line(line)
    return 0 if judged.legal else 1


def _judge_cases(arguments: argparse.Namespace) -> int:
    """Judge files of cases, and return the exit code; raises the same errors as `run`."""
    console = Console()
    write = console.exactly if arguments.json else console.line
    total = _Total()
    example = ""  # the game of the first case that cannot be read
    failed: Exception | None = None
    for name in arguments.files:
        try:
            text = _read(name)
            for report in reports(text, _all_clauses()):
                total.add(report)
                if report.problem is not None:
                    example = example or _game_of(text.splitlines()[report.line - 1 :])
                written = report_as_json if arguments.json else report_as_text
                for line in written(report, show=arguments.show):
                    write(line)
        except NotationError as error:
            failed = failed or NotationError("{file}: {error}", file=name, error=error)
        except RecordError as error:
            failed = failed or error
    as_json_line = [json.dumps({"total": asdict(total)})]
    for line in as_json_line if arguments.json else _total_as_text(total, example):
        write(line)
    if failed is not None:
        raise failed
    return total.exit_code


def _all_clauses() -> frozenset[str]:
    """Return the numbers of all clauses; they do not depend on the options."""
    tables = [(game, game.options()) for game in GAMES.values()]
    texts = (common_rules(tables[0][1]), *(rules(game, options) for game, options in tables))
    return frozenset(number for text in texts for number in clauses(text))


# -- as text


def report_as_text(report: CaseReport, *, show: bool) -> Iterator[str]:
    """Return all rulings of a case as text, and the error if a line cannot be read."""
    for ruling in report.rulings:
        yield from as_text(ruling)
    if report.problem is not None:
        yield _("{case}: CANNOT BE READ: {why}").format(case=report.name, why=said(report.problem))
    elif not report.rulings:
        yield _("{case}, line {number}: nothing is judged here.").format(
            case=report.name, number=report.line
        )
    if show and (report.position or report.problem is None):
        yield _("{case}: the position at the end:").format(case=report.name)
        yield from _indented(report.position or _("cards are still to be dealt"))


def as_text(ruling: Ruling) -> Iterator[str]:
    """Return the ruling in one line, then its score, then failed or undecided expectations.

    If an expectation failed, the actual position comes last.
    """
    line = _("{case}, line {number}: {text}: {verdict}")
    yield line.format(
        case=ruling.case, number=ruling.line, text=ruling.text, verdict=_verdict(ruling)
    )
    if ruling.hint is not None:
        yield "    " + said(ruling.hint)
    for side, items in enumerate(ruling.sheet.sides if ruling.sheet else (), 1):
        for item in items:
            named = _("side {side}: {item}").format(side=side, item=_(item.what))
            yield f"    {named} ({item.count}) {number(item.points)} [{item.clause}]"
    for expectation in ruling.expectations:
        if expectation.met is None:
            yield "    " + _("UNDECIDED: {line}").format(line=expectation.text)
        elif not expectation.met:
            yield "    " + _("BUT EXPECTED: {line}").format(line=expectation.text)
            yield "    " + _("IT IS: {found}").format(found=expectation.found)
    if _missed(ruling):
        yield from _indented(ruling.position)


def _missed(ruling: Ruling) -> bool:
    return any(expectation.met is False for expectation in ruling.expectations)


def _indented(text: str) -> Iterator[str]:
    return (f"        {line}" for line in text.splitlines())


def _verdict(ruling: Ruling) -> str:
    after = "" if ruling.after is None else said(ruling.after)
    match ruling.verdict:
        case RulingVerdict.LEGAL:
            return _("legal: {after}").format(after=after)
        case RulingVerdict.ILLEGAL:
            why = "" if ruling.why is None else said(ruling.why)
            return _("illegal [{clause}] {why}").format(clause=ruling.clause, why=why)
        case RulingVerdict.UNDECIDED:
            return _("undecided: say {lines}").format(lines="; ".join(map(said, ruling.say)))
        case RulingVerdict.ANSWERED:
            return _("by the rules [{clause}] {answer}").format(clause=ruling.clause, answer=after)
        case RulingVerdict.SILENT:
            return _("silent [{clause}] {answer}").format(clause=ruling.clause, answer=after)


def _total_as_text(total: _Total, example: str) -> Iterator[str]:
    if total.unreadable:
        yield _n(
            "{n} case cannot be read to its end.",
            "{n} cases cannot be read to their end.",
            total.unreadable,
        )
        yield _("A case to begin with: {command}").format(command=_example(example))
    if total.undecided:
        yield _n("{n} verdict is undecided.", "{n} verdicts are undecided.", total.undecided)
    if total.unreadable and not total.judged:
        return
    if not total.expected:
        yield _n(
            "{n} line judged, without an expectation.",
            "{n} lines judged, without an expectation.",
            total.judged,
        )
        return
    yield _n(
        "{met} of {n} expectation holds.",
        "{met} of {n} expectations hold.",
        total.expected,
        met=number(total.met),
    )


# -- as JSON


def report_as_json(report: CaseReport, *, show: bool) -> Iterator[str]:
    """Return a JSON object for each ruling, and for a case that is unreadable or has no ruling."""
    about: dict[str, Any] = {"case": report.name}
    for ruling in report.rulings:
        yield as_json(ruling)
    if report.problem is not None:
        yield json.dumps(about | {"verdict": "unreadable", "why": str(report.problem)})
    elif not report.rulings:
        yield json.dumps(about | {"line": report.line, "verdict": "nothing"})
    if show:
        yield json.dumps(about | {"position": report.position})


def as_json(ruling: Ruling) -> str:
    """Return the ruling as one JSON object."""
    fields: dict[str, Any] = {
        "case": ruling.case,
        "line": ruling.line,
        "text": ruling.text,
        "verdict": ruling.verdict.value,
    }
    if ruling.verdict is RulingVerdict.UNDECIDED:
        fields["say"] = [str(line) for line in ruling.say]
    else:
        words = {"clause": ruling.clause, "why": ruling.why, "after": ruling.after}
        fields |= {name: str(text) for name, text in words.items() if text}
    if ruling.hint is not None:
        fields["hint"] = str(ruling.hint)
    if ruling.sheet is not None:
        sides = zip(ruling.sheet.totals, ruling.sheet.sides, strict=True)
        fields["score"] = [
            {"points": points, "items": [asdict(item) for item in items]} for points, items in sides
        ]
    fields["expectations"] = [
        {"text": each.text, "met": each.met} | ({} if each.met else {"is": each.found})
        for each in ruling.expectations
    ]
    if _missed(ruling):
        fields["position"] = ruling.position
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
                "{name} is too large for a file of cases: it has more than {most} bytes.",
                name=name,
                most=_LARGEST,
            )
        return data.decode("utf-8-sig")
    except OSError as error:
        raise RecordError(
            "{name} cannot be read: {why}.", name=name, why=reason_of(error)
        ) from error
    except UnicodeDecodeError as error:
        raise RecordError(
            "{name} is no text: cases are written in UTF-8. Moves of a record are judged by --at.",
            name=name,
        ) from error
