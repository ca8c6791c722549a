"""Reports on players who were absent, and on the players who took their seats."""

import json
from collections.abc import Iterator

import pytest
from attrs import evolve
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from client.reports.as_json import as_json
from client.reports.html.page import page
from client.reports.model import Absence
from client.reports.text import report_lines
from client.reports.words import verdict
from protocol.absence import absence
from protocol.audit import Verdict
from protocol.entries import AbsentContent, Entry
from protocol.player import Player
from protocol.record import record_parts
from protocol.reducer import advance
from protocol.words import words
from tests.client.reports.audited import absent, audit_bytes, told
from tests.protocol.absent import ended
from tests.protocol.ring import Ring, signer_of
from tests.simulation.tables import without_proofs


@pytest.fixture(autouse=True, scope="module")
def _without_proofs() -> Iterator[None]:
    """Skip the proofs, which are not tested here."""
    with without_proofs():
        yield


def test_a_match_that_was_ended_early_says_why() -> None:
    _, state, entries, charter = absent(substitute=False)
    report = audit_bytes(b"".join(record_parts(charter, entries)))
    assert state.ended
    assert (report.sound, report.ended, report.over) == (False, True, False)
    draw, void = report.rounds
    assert (draw.void, void.void) == (False, True)
    ana, *rest = void.players
    left, signers = ([evolve(p, seat=None, side=None) for p in some] for some in ([ana], rest))
    assert void.absences == (Absence(len(entries), (0,), tuple(left), tuple(signers), ()),)
    assert void.sheet is None
    sentence = f"bsence of Ana, signed by all the others (Bruno and Carla) in entry {len(entries)}"
    for text in told(report):
        assert f"Every entry holds. The match ended early, in entry {len(entries)}." in text
        assert f"Round 1, void: a{sentence}; the match ends here without Ana." in text
        assert "all have signed the end" not in text
    assert f"  A{sentence}" in "\n".join(report_lines(report))
    assert f"A{sentence}" in "".join(page([report]))
    record = json.loads("\n".join(as_json([report])))["records"][0]
    assert (record["ended"], record["over"]) == (True, False)
    assert [one["void"] for one in record["rounds"]] == [False, True]
    (told_absence,) = record["rounds"][1]["absences"]
    assert (told_absence["entry"], told_absence["players"]) == (len(entries), [0])
    assert [signer["name"] for signer in told_absence["signers"]] == ["Bruno", "Carla"]
    assert (told_absence["substitutes"], told_absence["closed"]) == ([], False)
    assert report.checked.signatures == 3 + len(entries) - 1 + 2


def test_a_substitute_sits_where_the_absent_sat() -> None:
    ring, state, entries, charter = absent(substitute=True)
    zoe = signer_of(Ed25519PrivateKey.from_private_bytes(bytes(31) + b"\7"))
    players = [Player(0, zoe), *ring.players[1:]]
    joint = len(entries)
    while (due := state.due) is not None and due.kind == "shuffle":
        entry = players[due.player].write(state, ring.rng.randbytes, None).entry
        entries, state = [*entries, entry], advance(state, entry)
    report = audit_bytes(b"".join(record_parts(charter, entries)))
    assert report.conclusion.verdict is Verdict.UNFINISHED
    assert not report.ended
    _, void, again = report.rounds
    assert (void.number, void.void, again.number, again.void) == (1, True, 1, False)
    assert [player.name for player in void.players] == ["Ana", "Bruno", "Carla"]
    assert [player.name for player in again.players] == ["Zoe", "Bruno", "Carla"]
    assert void.last + 1 == again.first
    assert void.deals[0].number < again.deals[0].number
    ((newcomer,),) = (absence.substitutes for absence in void.absences)
    assert (newcomer.key, newcomer.words) == (again.players[0].key, words(newcomer.key))
    for text in told(report):
        assert f"in entry {joint}; Zoe takes the seat of Ana." in text
    assert f"until entry {joint}, {' '.join(void.players[0].words)}" in "\n".join(
        report_lines(report)
    )


def test_an_absence_at_the_very_end_leaves_a_signature_out() -> None:
    """The last round is counted, and stands; but not all have signed it."""
    ring = Ring.sit("canasta", 3, seed=3, rounds=1)
    ring.play_until("close")
    (gone,) = ring.state.writers[:1]
    body = absence(ring.state, AbsentContent((gone,))).encode()
    votes = [Entry.vote(body, sign) for p, sign in enumerate(ring.signers) if p != gone]
    ring.entries.append(Entry(body, b"".join(votes)).encode())
    report = audit_bytes(ring.record())
    assert (report.sound, report.over, report.ended) == (False, True, False)
    assert not report.rounds[-1].void
    signers = [player for player in range(3) if player != gone]
    assert report.rounds[-1].signed == tuple((p, len(ring.entries)) for p in signers)
    names = " and ".join(report.name(player) for player in signers)
    assert f"  The score is signed by {names} only." in report_lines(report)
    assert report.winner is not None
    for text in told(report):
        assert "Every entry holds, and all who were there have signed the end." in text
        assert "all have signed the end" not in text


def test_of_many_absences_the_verdict_tells_the_first() -> None:
    _, _, entries, charter = absent(substitute=False)
    report = audit_bytes(b"".join(record_parts(charter, entries)))
    many = evolve(report, rounds=(*report.rounds, *([report.rounds[1]] * 5)))
    assert verdict(many).count("absence of Ana") == 3
    assert verdict(many).endswith("And 3 absences more.")


def test_a_hand_that_stays_closed_is_told_and_counted() -> None:
    """Hands are opened, and one player stays away: the round stands."""
    ring = Ring.sit("canasta", 3, seed=3, rounds=1)
    ring.play_until("open")
    (gone,) = ring.state.writers[:1]
    entry = ended(ring, ring.state, gone)
    ring.entries.append(entry)
    ring.state = advance(ring.state, entry)
    ring.play()
    report = audit_bytes(ring.record())
    assert report.sound
    name = report.name(gone)
    counted = report.rounds[-1]
    assert not counted.void
    assert [absence.closed for absence in counted.absences] == [True]
    assert len(counted.signed) == 3
    assert counted.count is not None
    assert counted.count.closed > 0
    assert counted.count.balanced
    told_closed = f"the hand of {name} stays closed and counts the worst it can (X24)"
    for text in told(report):
        assert told_closed in text
    lines = "\n".join(report_lines(report))
    assert f"({counted.count.closed} of them in hands that stay closed)" in lines
    assert "Cards that stay closed" in lines
