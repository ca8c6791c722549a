"""Reports for programs: everything that an audit tells, as JSON."""

import json
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import cast

from attrs import AttrsInstance, asdict

from client.luck.report import LuckReport
from client.report.model import VERSION, AuditReport


def as_json(reports: Sequence[AuditReport], luck: LuckReport | None = None) -> str:
    """One object: `version`, `records` in the order of the files, and `luck` if it was asked for.

    Names are those of `client.report.model`; bytes are hexadecimal, and all is ASCII.
    """
    told = {"version": VERSION, "records": plain(reports)}
    if luck is not None:
        told["luck"] = plain(luck)
    return json.dumps(told, indent=1)


def plain(value: object) -> object:
    """The value with nothing but what JSON has."""
    match value:
        case Enum():
            return plain(value.value)
        case None | bool() | int() | float() | str():
            return value
        case bytes():
            return value.hex()
        case Mapping():
            return {str(key): plain(inner) for key, inner in value.items()}
        case frozenset():
            return sorted(value)
        case Sequence():
            return [plain(inner) for inner in value]
        case _:
            told = asdict(cast(AttrsInstance, value), recurse=False)
            return {name: plain(inner) for name, inner in told.items()}
