"""Records of played rounds as files, and what their audits tell. For tests."""

import tempfile
from functools import cache
from pathlib import Path

from client.report.auditing import audit_file
from client.report.model import AuditReport
from tests.protocol.played import Played, played


def audit_bytes(record: bytes) -> AuditReport:
    """The report on a file with these bytes."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.sobremesa"
        path.write_bytes(record)
        return audit_file(path)


@cache
def audited(game: str = "canasta") -> AuditReport:
    """The report on a sound round between two."""
    return audit_bytes(played(game, 2).record())


def cheated(entry: bytes, height: int, *more: bytes, one: Played | None = None) -> bytes:
    """The record with `entry` where entry `height` was, and whatever comes after."""
    return (one or played()).record(entry, *more, upto=height - 1)
