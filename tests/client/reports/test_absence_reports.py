"""Reports on matches that went on without a player: who was missing, and who took the seats."""

import json
from pathlib import Path

import pytest
from attrs import evolve

from client.record_summary import RecordSummary
from client.reports.as_json import as_json
from client.reports.html.page import page
from client.reports.ledger.match import audit_match
from client.reports.model import Continuation
from client.reports.text import report_lines
from client.reports.words import verdict
from client.ui.model.replay import Replay, Teller
from engine.sentences import Sentence
from protocol.audit import Exposure, Verdict
from protocol.charter import Member
from protocol.evidence import Evidence, Statement
from protocol.player import Player
from protocol.record import record_parts
from protocol.reducer import advance
from protocol.words import words
from tests.client.reports.audited import absent, audit_bytes, told
from tests.protocol.continuing import (
    OLGA,
    PABLO,
    ended,
    follow,
    offered,
    replaced,
    seat_newcomers,
)
from tests.protocol.ring import Ring

pytestmark = pytest.mark.usefixtures("proofless")


def test_a_match_that_was_ended_early_says_why() -> None:
    _, state, entries, charter = absent(substitute=False)
    report = audit_bytes(b"".join(record_parts([(charter, entries)])))
    assert state.ended
    assert (report.sound, report.ended, report.over) == (False, True, False)
    draw, left = report.rounds
    assert (draw.void, left.void) == (False, False)
    ana, *rest = (evolve(player, seat=None, side=None) for player in left.players)
    assert left.continuations == (
        Continuation(len(entries), (0,), (ana,), tuple(rest), (), ends=True, counted=True),
    )
    assert left.sheet is not None
    assert left.sheet.totals == state.match.totals == report.totals
    sentence = f"Bruno and Carla have signed, in entry {len(entries)}, to go on without Ana"
    for text in told(report):
        assert f"The match was ended in entry {len(entries)}, before it was over." in text
        assert f"Round 1: {sentence}; the match ends here without Ana" in text
        assert "all have signed the end" not in text
    assert f"  {sentence}" in "\n".join(report_lines(report))
    assert sentence in "".join(page([report]))
    record = json.loads("\n".join(as_json([report])))["records"][0]
    assert (record["ended"], record["over"]) == (True, False)
    (one,) = record["rounds"][1]["continuations"]
    assert (one["entry"], one["players"], one["substitutes"]) == (len(entries), [0], [])
    assert [signer["name"] for signer in one["signers"]] == ["Bruno", "Carla"]
    assert report.checked.signatures == 3 + len(entries) - 1 + 2
    assert report.checked.continuations == 1


def test_a_substitute_sits_where_the_missing_player_sat() -> None:
    ring, state, entries, charter = absent(substitute=True)
    players = [Player(0, OLGA.sign), *ring.players[1:]]
    signed = len(entries)
    while (due := state.due) is not None and due.kind == "shuffle":
        entry = players[due.player].write(state, ring.rng.randbytes, None).entry
        entries, state = [*entries, entry], advance(state, entry)
    report = audit_bytes(b"".join(record_parts([(charter, entries)])))
    assert report.conclusion.verdict is Verdict.UNFINISHED
    assert not report.ended
    _, left, again = report.rounds
    assert (left.number, left.void, again.number, again.void) == (1, False, 2, False)
    assert [player.name for player in left.players] == ["Ana", "Bruno", "Carla"]
    assert [player.name for player in again.players] == ["Olga", "Bruno", "Carla"]
    assert (left.last, again.first) == (signed, signed + 1)
    assert left.deals[0].number < again.deals[0].number
    ((newcomer,),) = (each.substitutes for each in left.continuations)
    assert (newcomer.key, newcomer.words) == (again.players[0].key, words(newcomer.key))
    for text in told(report):
        assert f"in entry {signed}, to go on without Ana; Olga takes the seat of Ana" in text
    seat = left.players[0].seat
    assert seat is not None
    until = f"seat {seat + 1}, until entry {signed}, {' '.join(left.players[0].words)}"
    assert until in "\n".join(report_lines(report))


def test_of_who_was_replaced_before_seats_were_drawn_no_seat_is_told() -> None:
    ring = Ring.sit("canasta", 3, seed=3, rounds=2)
    ring.step()
    seat_newcomers(ring, replaced(ring, ring.state, 1))
    ring.play_until("move")
    lines = "\n".join(report_lines(audit_bytes(ring.record())))
    assert "Bruno  until entry 2, " in lines
    assert "no seat yet, until" not in lines


def test_who_has_exposed_a_key_without_a_seat_accuses_nobody_of_that_name() -> None:
    """Evidence is made up with a new key that its maker calls Ana."""
    ring = Ring.sit("canasta", 3, seed=3, rounds=2)
    ring.play_until("move")
    fake = evolve(PABLO, member=Member(PABLO.member.key, "Ana", bytes(32)))
    one = offered(ring.state, [0], seats=[fake])
    assert one.continues is not None
    other = evolve(one, continues=evolve(one.continues, results=((5, 5, 5),)))
    statements = [Statement(each, 0, each.sign(PABLO.sign)) for each in (one, other)]
    ring.entries.append(Evidence(statements[0], statements[1]).encode())
    report = audit_bytes(ring.record())
    key = PABLO.member.key.hex()
    assert f"A player without a seat in this record, whose key is {key}, is exposed" in verdict(
        report
    )
    assert "Ana is exposed" not in "\n".join(told(report))
    (exposed,) = json.loads("".join(as_json([report])))["records"][0]["conclusion"]["exposed"]
    assert (exposed["name"], exposed["key"]) == ("", key)


def test_a_former_player_who_broke_a_rule_of_the_game_is_not_called_exposed() -> None:
    _, _, entries, charter = absent(substitute=True)
    report = audit_bytes(b"".join(record_parts([(charter, entries)])))
    sentence = Sentence("The card is not theirs.")
    broke = Exposure(3, "C26", 0, bytes(32), "Ana", sentence, illegal=True)
    text = verdict(evolve(report, conclusion=evolve(report.conclusion, exposed=(broke,))))
    assert "Ana has signed what is against the rules, in entry 3 [C26]; the others went on." in text
    assert "It is no proof of cheating" in text
    assert "Ana is exposed" not in text


def test_the_end_is_signed_by_those_who_stayed() -> None:
    """The last round is counted and stands; nothing is due from the one who is missing."""
    ring = Ring.sit("canasta", 3, seed=3, rounds=1)
    ring.play_until("close")
    (gone,) = ring.state.writers[:1]
    ring.entries.append(ended(ring, ring.state, gone))
    report = audit_bytes(ring.record())
    assert (report.sound, report.over, report.ended) == (True, True, False)
    assert not report.rounds[-1].void
    assert report.winner is not None


def test_of_many_continuations_the_verdict_tells_the_first() -> None:
    _, _, entries, charter = absent(substitute=False)
    report = audit_bytes(b"".join(record_parts([(charter, entries)])))
    many = evolve(report, rounds=(*report.rounds, *([report.rounds[1]] * 5)))
    assert verdict(many).count("to go on without Ana") == 3
    assert verdict(many).endswith("And 3 continuations more.")


def test_a_hand_that_stays_closed_is_told_and_counted() -> None:
    """Hands are opened, and one player is missing: the round stands."""
    ring = Ring.sit("canasta", 3, seed=3, rounds=1)
    ring.play_until("open")
    (gone,) = ring.state.writers[:1]
    part = ended(ring, ring.state, gone)
    ring.entries.append(part)
    ring.state = follow(ring.state, part)
    ring.play()
    report = audit_bytes(ring.record())
    name = report.name(gone)
    counted = report.rounds[-1]
    assert not counted.void
    assert [each.closed for each in counted.continuations] == [True]
    assert len(counted.signed) == 2
    assert counted.count is not None
    assert counted.count.closed > 0
    assert counted.count.balanced
    told_closed = f"the hand of {name} stays closed and counts the worst it can (X24)"
    for text in told(report):
        assert told_closed in text
    lines = "\n".join(report_lines(report))
    assert f"({counted.count.closed} of them in hands that stay closed)" in lines
    assert "Cards that stay closed" in lines


def test_a_match_of_two_tables_is_one_match_everywhere(tmp_path: Path) -> None:
    """A substitute plays it to its end: audit, summary, ledger and replay agree."""
    ring = Ring.sit("canasta", 3, seed=3, rounds=2)
    ring.play_until("move")
    for _move in range(9):
        ring.step()
    seat_newcomers(ring, replaced(ring, ring.state, ring.state.writers[0]))
    ring.play()
    path = tmp_path / "evening.sobremesa"
    path.write_bytes(ring.record())
    replay = Replay.load(path, lambda _now: None)
    report, state = replay.report, ring.state
    assert report.sound
    assert [sheet.number for sheet in report.rounds if sheet.sheet] == [1, 2]
    summary = RecordSummary.read(path)
    assert summary.standing.totals == state.match.totals == report.totals
    seated = [state.charter.members[player].name for player in state.match.seating]
    assert summary.standing.names == f"{seated[0]}, {seated[1]} and {seated[2]}"
    assert "Olga" in seated
    match = audit_match(path).match
    assert match is not None
    assert (match.totals, len(match.rounds)) == (state.match.totals, 2)
    assert match.match == ring.charter.charter.table_id.hex()
    (signed,) = (moment for moment in replay.moments if moment.after.last is None)
    teller = Teller(None, symbols=False)
    assert "Olga plays on in that seat; the round counts as it lies" in teller.sentence(signed)
    numbers = [moment.number for moment in replay.moments]
    assert numbers == sorted(set(numbers))
