"""Reports for programs: the whole audit report as JSON."""

import json
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from typing import cast

from attrs import AttrsInstance, fields

from client.reports.luck.report import LuckReport
from client.reports.model import VERSION, AuditReport, FailedAudit
from engine.sentences import Sentence


def as_json(
    reports: Sequence[AuditReport | FailedAudit], luck: LuckReport | None = None
) -> Iterator[str]:
    """Return one JSON object in lines: `version`, `records` by file, and `luck` if asked for.

    Names are those of `client.reports.model`; bytes are hexadecimal, and all text is ASCII. A round
    is a line of its own, so that there is never more than one of them in memory. A file that is no
    record has nothing but its `file` and a `conclusion`.
    """
    yield f'{{"version": {VERSION}, "records": ['
    for place, report in enumerate(reports):
        comma = "," if place < len(reports) - 1 else ""
        if isinstance(report, FailedAudit):
            about = {"file": report.file, "conclusion": plain(report.conclusion)}
            yield json.dumps(about) + comma
        else:
            yield from _record(report, comma)
    yield "]"
    if luck is not None:
        yield f', "luck": {json.dumps(plain(luck))}'
    yield "}"


def _record(report: AuditReport, comma: str) -> Iterator[str]:
    others = {name: plain(value) for name, value in _named(report) if name != "rounds"}
    yield json.dumps(others)[:-1] + ', "rounds": ['
    for number, one in enumerate(report.rounds, start=1):
        yield json.dumps(plain(one)) + ("," if number < len(report.rounds) else "")
    yield f"]}}{comma}"


def plain(value: object) -> object:
    """Return the value as types that JSON has."""
    match value:
        case Enum():
            return plain(value.value)
        case None | bool() | int() | float() | str():
            return value
        case Sentence():
            return str(value)
        case bytes():
            return value.hex()
        case Mapping():
            return {str(key): plain(inner) for key, inner in value.items()}
        case frozenset():
            return sorted(value)
        case Sequence():
            return [plain(inner) for inner in value]
        case _:
            return {name: plain(inner) for name, inner in _named(value)}


def _named(value: object) -> Iterator[tuple[str, object]]:
    """Return the fields of a value with their names."""
    for one in fields(type(cast(AttrsInstance, value))):
        yield one.name, getattr(value, one.name)
