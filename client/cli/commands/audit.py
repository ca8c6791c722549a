"""`sobremesa audit FILE...`: check records from their first byte to their last."""

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from client.cli.record_command_helpers import EXIT_UNREADABLE, add_page, exit_code, write_page
from client.errors import BadRequest
from client.i18n.control_characters import plain
from client.i18n.language import _, number
from client.i18n.sentences import said
from client.record_files import NoRecord, RecordError, check_new, write_new
from client.reports.as_json import as_json
from client.reports.auditing import audit_file, each_record
from client.reports.html.page import page
from client.reports.luck.report import LuckReport, luck_report
from client.reports.model import NO_RECORD, UNREADABLE, AuditReport, FailedAudit
from client.reports.text import luck_lines, report_lines, verdict_lines
from client.ui.text.console import Console


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files", type=Path, nargs="+", metavar=_("FILE"), help=_("a record to check")
    )
    parser.add_argument(
        "--luck",
        action="store_true",
        help=_("test whether the cards dealt and drawn in all records look random"),
    )
    parser.add_argument(
        "--json", action="store_true", help=_("the whole result as JSON, for programs")
    )
    add_page(parser)
    parser.add_argument(
        "--evidence",
        type=Path,
        metavar=_("OUT"),
        help=_("if somebody is exposed: write the evidence, which any verifier can check"),
    )


def run(arguments: argparse.Namespace) -> int:
    """Audit the files, and return the exit code.

    - 0: the record is sound.
    - 1: somebody is exposed, or the record is inconsistent, unsigned at its end or ended by an
      absence.
    - 2: the file cannot be read as a record.

    For several files, the highest code is returned.

    Raises RecordError if an output cannot be written, and BadRequest if evidence is asked of
    several files.
    """
    files: list[Path] = arguments.files
    if arguments.evidence and len(files) > 1:
        raise BadRequest("Evidence is taken from one record: name that file alone.")
    for out in filter(None, (arguments.html, arguments.evidence)):
        check_new(out)
    console, notes = Console(), Console(sys.stderr)
    outcomes = _audit_files(files, console.progress)
    console.clear()
    reports = [one for one in outcomes if isinstance(one, AuditReport)]
    failed = [one for one in outcomes if isinstance(one, FailedAudit)]
    audited = [f for f, one in zip(files, outcomes, strict=True) if isinstance(one, AuditReport)]
    luck = luck_report(reports) if arguments.luck else None
    if arguments.json:
        for line in as_json(outcomes, luck):
            console.exactly(line)
    else:
        for line in _lines(reports, luck):
            console.line(line)
    for one in failed:
        notes.line(f"sobremesa: {said(one.sentence)}")
    if arguments.html and reports:
        write_page(arguments.html, page(reports, luck, audited), console)
    if arguments.evidence and reports:
        notes.line(_write_evidence(files[0], reports[0], arguments.evidence))
    return EXIT_UNREADABLE if failed else max(map(exit_code, reports))


def _audit_files(
    files: Sequence[Path], progress: Callable[[str], None]
) -> list[AuditReport | FailedAudit]:
    """Return the audit of each file; several files are audited in parallel, on all cores."""
    if len(files) == 1:
        return [_audit_one(files[0], progress, os.cpu_count() or 1)]
    return each_record(_audit_one, files, progress)


def _audit_one(
    file: Path, progress: Callable[[str], None] = lambda _line: None, threads: int = 1
) -> AuditReport | FailedAudit:
    try:
        return audit_file(file, progress, threads=threads)
    except RecordError as error:
        verdict = NO_RECORD if isinstance(error, NoRecord) else UNREADABLE
        return FailedAudit(plain(str(file)), verdict, error.sentence)


def _lines(reports: Sequence[AuditReport], luck: LuckReport | None) -> Iterator[str]:
    """Return the whole report on a single record, or the verdict on each of several records."""
    if luck is not None:
        yield from (*luck_lines(luck), "")
    if len(reports) == 1:
        yield from report_lines(reports[0])
        return
    for report in reports:
        yield from (f"{report.file}:", *(f"  {line}" for line in verdict_lines(report)))


def _write_evidence(file: Path, report: AuditReport, out: Path) -> str:
    """Write the evidence, and return a sentence about it.

    The evidence is the record up to the entry that exposes somebody. This part is a record itself,
    and every verifier finds the cheat at its end.
    """
    size = report.conclusion.evidence
    if size is None:
        return _("Nobody is exposed by this record, so there is no evidence to write.")
    with file.open("rb") as record:
        write_new(out, [record.read(size)])
    text = _("The evidence is in {path}: {count} bytes, a record that any verifier can judge.")
    return text.format(path=out, count=number(size))
