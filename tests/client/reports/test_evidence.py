"""Evidence: a cheat is named, and the evidence alone convinces any verifier."""

from collections.abc import Callable, Mapping
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

CHEATS: Mapping[str, Callable[[], Moment]] = {
    "shuffle:commit": shuffling,
    "unlock:dleq": unlocking,
    "X10": discarding,
}
"""Causes that the audit finds, each with a moment at which the writer can cheat in that way."""


def cheat_at(moment: Moment) -> bytes:
    """Return an entry that no honest player signs."""
    match moment.body.content:
        case ShuffleContent() as shuffle:
            proof = shuffle.proof[:-32] + bytes(31) + b"\1"
            return moment.signed(evolve(shuffle, proof=proof))
        case UnlockContent() as unlocked:
            return moment.signed(evolve(unlocked, shares=unlocked.shares[::-1]))
    return moment.signed(MoveContent(Answer(True), ()))


@pytest.mark.parametrize("cause", CHEATS)
def test_audit_and_evidence_name_the_same_cheat(cause: str, tmp_path: Path) -> None:
    moment = CHEATS[cause]()
    height = moment.state.height + 1
    record, evidence = tmp_path / "game", tmp_path / "evidence"
    record.write_bytes(cheated(cheat_at(moment), height, *played().entries[height:]))
    assert main(["audit", str(record), "--evidence", str(evidence)]) == 1
    report = audit_file(record)
    end, said = report.conclusion, verdict(report)
    assert end == audit_file(evidence).conclusion
    verdict_there = Verdict.ILLEGAL if cause == "X10" else Verdict.EXPOSED
    found = (end.verdict, end.player, end.entry, end.cause)
    assert found == (verdict_there, moment.writer, height, cause)
    assert end.evidence == evidence.stat().st_size < record.stat().st_size
    assert ("no proof of cheating" in said) == (cause == "X10")
    assert cause_words(report) in said
    assert said.count(f"[{cause}]") == 1


def test_the_evidence_convinces_the_second_verifier(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A program that shares no code with this one exposes the same player for the same cause."""
    first = played().at(1)
    entries = [first.entry, cheat_at(first)]
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
    assert not out.exists(), (
        "a changed byte exposes nobody: whoever passed the record on may have changed it"
    )
