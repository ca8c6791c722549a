"""Reports on records in all states, as text and as page, compared with files.

`python -m tests.update_golden_files` writes the files in `texts/` anew.
"""

import json
import re
from collections.abc import Callable, Mapping
from html import escape, unescape
from pathlib import Path
from zlib import crc32

import pytest
from attrs import evolve

from client.i18n.language import choose_language
from client.reports.as_json import as_json
from client.reports.auditing import audit_file
from client.reports.html.document import policy
from client.reports.html.page import page
from client.reports.luck.report import luck_report
from client.reports.model import UNREADABLE, FailedAudit
from client.reports.text import report_lines, verdict_lines
from engine.sentences import Sentence
from protocol.player import Player
from protocol.record_file import record_parts
from protocol.reducer import advance
from tests.client.reports.audited import (
    absent,
    absent_record,
    audit_bytes,
    cheated,
    checksums,
    illegal_record,
)
from tests.client.ui.tui.golden import check_file
from tests.protocol.continuing import OLGA, ended, follow, replaced, seat_newcomers
from tests.protocol.played import played, unlocking
from tests.protocol.seeded_table import SeededTable

FOLDER = Path(__file__).parent / "texts"

pytestmark = pytest.mark.usefixtures("proofless")


def substituted() -> bytes:
    """Return a record in which Olga takes the seat of Ana. It ends with the next shuffles."""
    table, state, entries, charter = absent(substitute=True)
    players = [Player(0, OLGA.sign), *table.players[1:]]
    while (due := state.due) is not None and due.kind == "shuffle":
        entry = players[due.player].write(state, table.rng.randbytes, None).entry
        entries, state = [*entries, entry], advance(state, entry)
    return b"".join(record_parts([(charter, entries)]))


def redrawn() -> bytes:
    """Return the record of a match in which a player is replaced before seats are drawn."""
    table = SeededTable.sit("canasta", 3, seed=3, rounds=2)
    table.step()
    seat_newcomers(table, replaced(table, table.state, 1))
    table.play_until("move")
    return table.record()


def left_at(kind: str) -> bytes:
    """Return the record of a match that a player leaves when they owe an entry of that kind."""
    table = SeededTable.sit("canasta", 3, seed=3, rounds=1)
    table.play_until(kind)
    entry = ended(table, table.state, table.state.writers[0])
    table.entries.append(entry)
    table.state = follow(table.state, entry)
    if not table.state.complete:
        table.play()
    return table.record()


def exposed() -> bytes:
    moment = unlocking()
    return cheated(moment.signed_bytes(b"\xc0"), moment.state.height + 1)


def broken_charter() -> bytes:
    record = bytearray(played().record(upto=0))
    record[-1] ^= 1
    return bytes(record)


RECORDS: Mapping[str, Callable[[], bytes]] = {
    "sound": lambda: played().record(),
    "rebuilt": lambda: played("kanastic", 2).record(),
    "foot": lambda: played("hand_and_foot", 2).record(),
    "unsigned": lambda: played().record(upto=len(played().entries) - 1),
    "halfway": lambda: played().record(upto=30),
    "nothing": lambda: played().record(upto=0),
    "charter": broken_charter,
    "exposed": exposed,
    "illegal": illegal_record,
    "ended": lambda: absent_record(substitute=False),
    "substitute": substituted,
    "redrawn": redrawn,
    "closed": lambda: left_at("open"),
    "counted": lambda: left_at("close"),
}


@pytest.mark.parametrize(
    ("name", "language"),
    [*((name, "en") for name in RECORDS), ("ended", "es"), ("ended", "pt"), ("sound", "es")],
)
def test_report_texts_match_their_files(name: str, language: str) -> None:
    report = evolve(audit_bytes(RECORDS[name]()), file="game.sobremesa")
    choose_language(language)
    lines = list(report_lines(report))
    html = "".join(page([report]))
    told = "\n".join([*lines, "", "=== checksums of the page", *checksums(html)])
    check_file(FOLDER / f"{name}-{language}.txt", told)
    assert f'<html lang="{language}">' in html
    text = unescape(re.sub(r"<[^>]+>", "", html))
    assert lines[-1] == list(verdict_lines(report))[-1]
    for sentence in lines[-1].split(". "):
        assert sentence in text


def test_page_and_json_of_several_records_match_their_file(tmp_path: Path) -> None:
    """The page contains a verifier and the records that it checks. The checksums leave out both."""
    names = ("sound", "halfway", "charter", "exposed", "illegal", "substitute")
    files = [tmp_path / name for name in names]
    for path in files:
        path.write_bytes(RECORDS[path.name]())
    reports = [evolve(audit_file(path), file=path.name) for path in files]
    luck = luck_report(reports)
    failed = FailedAudit("none", UNREADABLE, Sentence("{path} is empty.", path="none"))
    whole = "".join(page(reports, luck, files))
    (script,) = re.findall(r"<script>(.*?)</script>", whole, re.S)
    allowed = policy(script=script, workers=True)
    assert f'content="{escape(allowed)}"' in whole
    html = re.sub(r"(<script[^>]*>).*?</script>", r"\1", whole, flags=re.S)
    *records, of_luck, last = as_json([*reports, failed], luck)
    assert json.loads(f"{{{of_luck[1:]}{last}")["luck"]["sentence"] == luck.sentence
    lines = [f"{crc32(one.encode()):08x} {one[:40]}" for one in records]
    told = ["=== checksums of the page", *checksums(html), "", "=== of the lines of JSON", *lines]
    check_file(FOLDER / "several-en.txt", "\n".join(told))
