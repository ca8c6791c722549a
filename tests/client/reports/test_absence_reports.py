"""Reports on matches that went on without a player: who was missing, and who took the seats."""

import json
from pathlib import Path

import pytest
from attrs import evolve

from client.i18n.language import number
from client.record_summary import record_line
from client.reports.as_json import as_json
from client.reports.ledger.audit_files import audit_match
from client.reports.words import verdict
from client.ui.model.replay import Replay, Teller
from protocol.charter import Member
from protocol.evidence import Evidence, Statement
from tests.client.reports.audited import absent_record, audit_bytes, told
from tests.protocol.continuing import PABLO, offered, replaced, seat_newcomers
from tests.protocol.seeded_table import SeededTable

pytestmark = pytest.mark.usefixtures("proofless")


def test_evidence_against_an_unseated_key_does_not_accuse_a_namesake() -> None:
    """The attack: somebody makes a new key, calls it Ana, and signs evidence against it."""
    table = SeededTable.sit("canasta", 3, seed=3, rounds=2)
    table.play_until("move")
    fake = evolve(PABLO, member=Member(PABLO.member.key, "Ana", bytes(32)))
    one = offered(table.state, [0], seats=[fake])
    assert one.continues is not None
    other = evolve(one, continues=evolve(one.continues, results=((5, 5, 5),)))
    statements = [Statement(each, 0, each.sign(PABLO.sign)) for each in (one, other)]
    table.entries.append(Evidence(statements[0], statements[1]).encode())
    report = audit_bytes(table.record())
    key = PABLO.member.key.hex()
    told_key = f"A player without a seat in this record, whose key is {key}, is exposed"
    assert told_key in verdict(report)
    assert "Ana is exposed" not in "\n".join(told(report))
    (exposed,) = json.loads("".join(as_json([report])))["records"][0]["conclusion"]["exposed"]
    assert (exposed["name"], exposed["key"]) == ("", key)


def test_the_verdict_names_the_first_of_many_continuations() -> None:
    report = audit_bytes(absent_record(substitute=False))
    many = evolve(report, rounds=(*report.rounds, *([report.rounds[1]] * 5)))
    assert verdict(many).count("to go on without Ana") == 3
    assert verdict(many).endswith("And 3 continuations more.")


@pytest.mark.parametrize(("kind", "void"), [("open", False), ("close", False), ("move", True)])
def test_a_round_that_a_player_leaves_is_void_unless_its_play_was_over(
    kind: str, void: bool
) -> None:
    """The player leaves when they owe an entry of this kind: hands are opened after the play.

    The record ends with the continuation that seats somebody else.
    """
    table = SeededTable.sit("canasta", 3, seed=3, rounds=2)
    table.play_until(kind)
    table.entries.append(replaced(table, table.state, table.state.writers[0]))
    last = audit_bytes(table.record()).rounds[-1]
    (one,) = last.continuations
    assert (last.number, last.void, one.closed, one.counted) == (1, void, kind == "open", False)


def test_all_reports_treat_two_tables_as_one_match(tmp_path: Path) -> None:
    """A substitute plays the match to its end; audit, summary, ledger and replay agree."""
    table = SeededTable.sit("canasta", 3, seed=3, rounds=2)
    table.play_until("move")
    for _move in range(9):
        table.step()
    seat_newcomers(table, replaced(table, table.state, table.state.writers[0]))
    table.play()
    path = tmp_path / "evening.sobremesa"
    path.write_bytes(table.record())
    replay = Replay.load(path, lambda _now: None)
    report, state = replay.report, table.state
    assert report.sound
    assert [sheet.number for sheet in report.rounds if sheet.sheet] == [1, 2]
    assert state.match.totals == report.totals
    points = " : ".join(map(number, report.totals))
    seated = [state.charter.members[player].name for player in state.match.seating]
    told = f"Canasta with {seated[0]}, {seated[1]} and {seated[2]}: {points}"
    assert record_line(path).endswith(told)
    assert "Olga" in seated
    match = audit_match(path).match
    assert match is not None
    assert (match.totals, len(match.rounds)) == (state.match.totals, 2)
    assert match.match == table.charter.charter.table_id.hex()
    (signed,) = (moment for moment in replay.moments if moment.after.last is None)
    teller = Teller(None, symbols=False)
    told = "Olga plays on in that seat; the round is counted as the cards lie"
    assert told in teller.sentence(signed)
    numbers = [moment.number for moment in replay.moments]
    assert numbers == sorted(set(numbers))
