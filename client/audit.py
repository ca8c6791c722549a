"""`sobremesa audit FILE`: checks a record from its first byte to its last, and says so."""

import argparse
from collections.abc import Callable
from pathlib import Path

from attrs import frozen

from client.console import Console
from client.records import RecordError
from client.sheet import side_names
from engine.match import Match
from engine.scoring import ScoreSheet
from protocol.audit import Auditor, Finding, Tally, Verdict
from protocol.errors import Malformed
from protocol.state import State

_PORTION = 64 * 1024


@frozen
class Report:
    """What the audit of one file came to. `state` is the table at the end of what holds."""

    path: Path
    finding: Finding
    tally: Tally
    state: State | None
    sheets: tuple[ScoreSheet, ...]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help="the record to check")


def run(arguments: argparse.Namespace) -> int:
    """0 sound; 1 somebody is exposed, or the record is inconsistent or unsigned at its end.

    Raises RecordError for a file that cannot be read as a record.
    """
    console = Console()
    report = audit_file(arguments.file, console.progress)
    for line in verdict_lines(report):
        console.line(line)
    return exit_code(report)


def exit_code(report: Report) -> int:
    return 0 if report.finding.verdict is Verdict.SOUND else 1


def audit_file(path: Path, progress: Callable[[str], None]) -> Report:
    """Audit a record file; `progress` is told how far it is. Raises RecordError."""
    auditor = Auditor()
    try:
        with path.open("rb") as file:
            while data := file.read(_PORTION):
                for height in auditor.feed(data):
                    progress(f"{height} entries checked")
        finding = auditor.finish()
    except OSError as error:
        raise RecordError(f"{path} cannot be read: {error.strerror}.") from error
    except Malformed as error:
        raise RecordError(f"{path}: {error}") from error
    return Report(path, finding, auditor.tally, auditor.state, tuple(auditor.sheets))


def verdict_lines(report: Report) -> list[str]:
    """The report as lines for people; the last one is the verdict."""
    lines: list[str] = []
    state = report.state
    if state is not None:
        names = [member.name for member in state.charter.members]
        lines.append(f"{state.match.game.title}, {', '.join(names)}.")
        lines += _round_lines(state.match, report.sheets, names)
        lines.append(_checked(report.tally))
    return [*lines, _verdict(report)]


def _round_lines(match: Match, sheets: tuple[ScoreSheet, ...], names: list[str]) -> list[str]:
    sides = side_names(match, names) if match.seating else ()
    return [
        f"Round {number}: "
        + ", ".join(f"{side} {points}" for side, points in zip(sides, sheet.totals, strict=True))
        + "; signed by all."
        for number, sheet in enumerate(sheets, 1)
    ]


def _checked(tally: Tally) -> str:
    return (
        f"Checked: {tally.entries.total()} entries, {tally.signatures} signatures, "
        f"{tally.shuffle_proofs} shuffle proofs, {tally.unlock_proofs} unlocking proofs, "
        f"{tally.face_proofs} proofs of cards shown."
    )


def _verdict(report: Report) -> str:
    finding, state = report.finding, report.state
    names = [member.name for member in state.charter.members] if state else []
    where = "the charter" if finding.entry == 0 else f"entry {finding.entry}"
    match finding.verdict:
        case Verdict.SOUND:
            return "Verdict: sound. Every entry holds, and all have signed the end."
        case Verdict.EXPOSED:
            assert finding.player is not None
            name = names[finding.player]
            return f"Verdict: {name} is exposed at {where} [{finding.cause}]. {finding.sentence}"
        case _:
            missing = ", ".join(names[player] for player in finding.unsigned)
            unsigned = f" The end is not signed by {missing}." if missing else ""
            word = finding.verdict.value
            return f"Verdict: {word} at {where} [{finding.cause}]. {finding.sentence}{unsigned}"
