"""The bench of the ledger audits each file once, and stops if a record is not sound."""

from pathlib import Path

import pytest

from client.reports.ledger import audit_files
from client.reports.ledger.audit_files import AuditedFile, audit_match
from engine.games import GAMES
from tests.bench import ledger as bench_ledger

CANASTRA = {"canastra": GAMES["canastra"]}


def test_ledger_bench_audits_each_file_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The files are audited in this process, so that the test can count them."""
    audited = []

    def on_one_core(work: object, files: list[Path], progress: object) -> list[AuditedFile]:
        assert work is audit_match
        audited.append(len(files))
        return [audit_match(file) for file in files]

    monkeypatch.setattr(audit_files, "each_record", on_one_core)
    monkeypatch.setattr(bench_ledger, "GAMES", CANASTRA)
    (bench,) = bench_ledger.run(2, seed=1)
    assert audited == [2, 0]  # the second time all results come from the cache
    assert bench["bytes"] > 20_000
    assert min(bench["first_s"], bench["again_s"], bench["floor_s"]) > 0


def test_a_record_that_is_not_sound_stops_the_bench(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        bench_ledger,
        "audit_files",
        lambda files, *_rest: [AuditedFile("", None, "not sound") for _file in files],
    )
    monkeypatch.setattr(bench_ledger, "GAMES", CANASTRA)
    with pytest.raises(RuntimeError, match="not sound"):
        bench_ledger.run(1, seed=1)
