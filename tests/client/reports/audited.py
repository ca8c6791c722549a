"""Records of played rounds as files, and their audits, for tests."""

import re
import tempfile
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from html import unescape
from pathlib import Path
from zlib import crc32

import pytest

from client.reports.auditing import audit_file
from client.reports.html.page import page
from client.reports.ledger.match import LedgerMatch, RoundResult
from client.reports.model import AuditReport
from client.reports.text import report_lines, verdict_lines
from engine.moves import Answer
from protocol.charter import SignedCharter
from protocol.entries import MoveContent
from protocol.record_file import record_parts
from protocol.state import State
from tests.client.reports.page_scripts import HOSTILE
from tests.protocol.continuing import ended, follow, replaced
from tests.protocol.played import Played, discarding, played, proving
from tests.protocol.seeded_table import SeededTable

ANA, BRUNO, CARLA, DIEGO = (f"{n:02x}" * 32 for n in range(4))
PAIRS = LedgerMatch(
    match="aa",
    game="canasta",
    players=(ANA, BRUNO, CARLA, DIEGO),
    names=("Ana", "Bruno", "Carla", "Diego"),
    sides=(0, 1, 0, 1),
    totals=(5100, 3000),
    winner=0,
    rounds=(
        RoundResult({ANA: 2000, CARLA: 2000, BRUNO: 3200, DIEGO: 3200}, {ANA: 1, DIEGO: 2}),
        RoundResult({ANA: 3100, CARLA: 3100, BRUNO: -200, DIEGO: -200}, {ANA: 1, CARLA: 1}),
    ),
    signers=(ANA, BRUNO, CARLA, DIEGO),
)
"""A match of couples, as the ledger knows it."""


def audit_bytes(record: bytes) -> AuditReport:
    """Return the report on a file with these bytes."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.sobremesa"
        path.write_bytes(record)
        return audit_file(path)


@cache
def audited(game: str = "canasta") -> AuditReport:
    """Return the report on a sound round between two players."""
    return audit_bytes(played(game, 2).record())


def cheated(entry: bytes, height: int, *more: bytes, one: Played | None = None) -> bytes:
    """Return a record whose entry at `height` is replaced by `entry`, with only `more` after it."""
    return (one or played()).record(entry, *more, upto=height - 1)


def illegal_record() -> bytes:
    """Return a record that ends with an answer to a question that nobody has asked (X10)."""
    moment = discarding()
    return cheated(moment.signed(MoveContent(Answer(True), ())), moment.state.height + 1)


def hostile_record() -> bytes:
    """Return a record whose players have names that look like markup.

    A stray byte follows its entries, so the verdict on its broken end contains the names.
    """
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr("tests.protocol.seeded_table.NAMES", HOSTILE)
        table = SeededTable.sit("kanastic", 4)
        table.step()
    return table.record() + b"\0"


def absent(substitute: bool) -> tuple[SeededTable, State, list[bytes], SignedCharter]:
    """Return a round of three players that Ana leaves. A substitute goes on, or the match ends.

    The parts are the table, the state after the continuation, the entries, and the charter.
    """
    return deepcopy(_absent(substitute))


def absent_record(substitute: bool) -> bytes:
    """Return the record of `absent`."""
    _, _, entries, charter = _absent(substitute)
    return b"".join(record_parts([(charter, entries)]))


@cache
def _absent(substitute: bool) -> tuple[SeededTable, State, list[bytes], SignedCharter]:
    table = _when_ana_is_to_move()
    part = (replaced if substitute else ended)(table, table.state, 0)
    return table, follow(table.state, part), [*table.entries, part], table.charter


@cache
def _when_ana_is_to_move() -> SeededTable:
    table = SeededTable.sit("canasta", 3, seed=3, rounds=2)
    with proving():
        while table.state.match.mover != 0:
            table.step()
    return table


def told(report: AuditReport) -> Iterator[str]:
    """Yield the report in all its forms: the verdict, the lines, and the page."""
    yield "\n".join(verdict_lines(report))
    yield "\n".join(report_lines(report))
    yield "".join(page([report]))


def checksums(html: str) -> Iterator[str]:
    """Yield a checksum and the first words of each part of a page below its head."""
    _head, _, body = html.partition("<main")
    for part in re.split(r"(?=<h[12]\b)", body):
        words = unescape(re.sub(r"<[^>]+>", " ", part)).split()
        yield f"{crc32(part.encode()):08x} {' '.join(words)[:40]}".rstrip()
