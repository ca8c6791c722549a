"""Reports for programs: the whole audit report as JSON."""

import json
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from typing import Any

from attrs import asdict

from client.reports.luck.report import LuckReport
from client.reports.model import VERSION, AuditReport, FailedAudit
from engine.sentences import Sentence


def as_json(
    reports: Sequence[AuditReport | FailedAudit], luck: LuckReport | None = None
) -> Iterator[str]:
    """Return one JSON object in lines, with `version`, `records`, and `luck` if asked for.

    `records` has a report for each file, with the field names of `client.reports.model`. Bytes are
    hexadecimal, and all text is ASCII. Each round has a line of its own, so that only one round at
    a time is in memory. A file that could not be audited has only `file` and `conclusion`.
    """
    yield f'{{"version": {VERSION}, "records": ['
    for place, report in enumerate(reports):
        comma = "," if place < len(reports) - 1 else ""
        if isinstance(report, FailedAudit):
            yield _json({"file": report.file, "conclusion": report.conclusion}) + comma
        else:
            yield from _record(report, comma)
    yield "]"
    if luck is not None:
        yield f', "luck": {_json(luck)}'
    yield "}"


def _record(report: AuditReport, comma: str) -> Iterator[str]:
    fields = asdict(report, recurse=False)
    del fields["rounds"]
    yield _json(fields)[:-1] + ', "rounds": ['
    for number, one in enumerate(report.rounds, start=1):
        yield _json(one) + ("," if number < len(report.rounds) else "")
    yield f"]}}{comma}"


def _json(value: object) -> str:
    return json.dumps(value, default=_plain)


def _plain(value: Any) -> object:
    """Convert a value to a type that JSON has; `json` calls this again for the values inside."""
    match value:
        case Enum():
            return value.value
        case Sentence():
            return str(value)
        case bytes():
            return value.hex()
        case Mapping():
            return dict(value)
        case frozenset():
            return sorted(value)
        case Sequence():
            return list(value)
        case _:
            return asdict(value, recurse=False)
