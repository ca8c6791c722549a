"""Evidence: a cheat is named, and the evidence alone convinces any verifier."""

from pathlib import Path

import pytest
from attrs import evolve

from client.cli.main import main
from client.reports.auditing import audit_file
from client.reports.words import cause_words, verdict
from engine.moves import Answer
from protocol.audit import Verdict
from protocol.entries import MoveContent, ShuffleContent, UnlockContent
from spec import verifier
from tests.client.reports.audited import cheated
from tests.protocol.played import Moment, discarding, played, shuffling, unlocking


def _cheats() -> dict[str, tuple[Moment, bytes]]:
    """Return entries that no honest player signs, by the cause that the audit finds."""
    shuffle, unlock, move = shuffling(), unlocking(), discarding()
    other = shuffle.the(ShuffleContent)
    proof = bytearray(other.proof)
    proof[-32:] = bytes(31) + b"\1"
    share = unlock.the(UnlockContent)
    return {
        "shuffle:commit": (shuffle, shuffle.signed(evolve(other, proof=bytes(proof)))),
        "unlock:dleq": (unlock, unlock.signed(evolve(share, shares=share.shares[::-1]))),
        "X10": (move, move.signed(MoveContent(Answer(True), ()))),
    }


CHEATS = ("shuffle:commit", "unlock:dleq", "X10")


@pytest.mark.parametrize("cause", CHEATS)
def test_audit_and_evidence_name_the_same_cheat(cause: str, tmp_path: Path) -> None:
    moment, entry = _cheats()[cause]
    height = moment.state.height + 1
    record = tmp_path / "game"
    record.write_bytes(cheated(entry, height, *played().entries[height:]))
    evidence = tmp_path / "evidence"
    assert main(["audit", str(record), "--evidence", str(evidence)]) == 1
    told, shown = audit_file(record), audit_file(evidence)
    assert told.conclusion == shown.conclusion
    end = told.conclusion
    is_rule = cause == "X10"
    verdict_there = Verdict.ILLEGAL if is_rule else Verdict.EXPOSED
    assert (end.verdict, end.player) == (verdict_there, moment.writer)
    assert end.entry == height
    assert end.cause == cause
    assert end.evidence == evidence.stat().st_size < record.stat().st_size
    name = moment.state.charter.name_of(moment.writer)
    what = (
        "has signed what is against the rules as this program knows them,"
        if is_rule
        else "is exposed"
    )
    assert f"Verdict: {name} {what} at entry {height} [{cause}]." in verdict(told)
    assert ("no proof of cheating" in verdict(told)) == is_rule
    proof, _, equation = cause.partition(":")
    where = cause_words(told)
    assert (f"equation {equation} of the {proof} proof" if equation else "clause X10") in where
    assert where in verdict(told)
    assert verdict(told).count(f"[{cause}]") == 1


def test_the_evidence_convinces_the_second_verifier(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A program that shares no code with this one exposes the same player for the same cause."""
    first = played().at(1)
    content = first.the(ShuffleContent)
    bad = evolve(content, proof=content.proof[:-32] + bytes(31) + b"\1")
    entries = [first.entry, first.signed(bad)]
    record, evidence = tmp_path / "game", tmp_path / "evidence"
    record.write_bytes(played().record(*entries, *played().entries[1:], upto=0))
    assert main(["audit", str(record), "--evidence", str(evidence)]) == 1
    end = audit_file(evidence).conclusion
    found = (end.verdict, end.entry, end.cause, end.player)
    assert found == (Verdict.EXPOSED, 2, "R8", first.writer)
    capsys.readouterr()
    assert verifier.main([str(evidence)]) == 1
    assert f"exposed, entry 2, R8, player {first.writer}" in capsys.readouterr().out


def test_no_evidence_is_written_when_nobody_is_exposed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record, out = tmp_path / "game", tmp_path / "evidence"
    record.write_bytes(played().record())
    assert main(["audit", str(record), "--evidence", str(out)]) == 0
    assert "Nobody is exposed" in capsys.readouterr().err
    assert not out.exists()
    changed = bytearray(played().record())
    changed[-40] ^= 1
    record.write_bytes(changed)
    assert main(["audit", str(record), "--evidence", str(out)]) == 1
    assert not out.exists(), "whoever passed the record on may have changed it"
