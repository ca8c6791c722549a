"""The ledger's bench adds up records that count, and sets its figures side by side."""

import json
from pathlib import Path

import pytest

from client.reports.ledger import audit_files
from client.reports.ledger.match import AuditedFile, audit_match
from engine.games import GAMES
from tests.bench import ledger as bench_ledger
from tests.bench.ledger import LedgerBench, as_json, render

BENCH = LedgerBench(100, 9_000_000, 4, 30.0, 0.2, 24.0)


def test_each_file_is_audited_once_and_then_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """It runs in this process, to see which files are audited."""
    audited = []

    def on_one_core(work: object, files: list[Path], progress: object) -> list[AuditedFile]:
        assert work is audit_match
        audited.append(len(files))
        return [audit_match(file) for file in files]

    monkeypatch.setattr(audit_files, "each_record", on_one_core)
    told = json.loads(as_json(bench_ledger.run(len(GAMES), seed=1)))
    assert audited == [len(GAMES), 0]
    assert told["records"] == len(GAMES)
    assert min(told["first_s"], told["again_s"], told["floor_s"]) > 0
    assert told["bytes"] > 100_000


def test_a_record_that_does_not_count_stops_the_bench(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        bench_ledger,
        "audit_files",
        lambda files, *_rest: [AuditedFile("", None, "not sound") for _file in files],
    )
    monkeypatch.setattr(bench_ledger, "GAMES", {"canastra": GAMES["canastra"]})
    with pytest.raises(RuntimeError, match="not sound"):
        bench_ledger.run(1, seed=1)


def test_figures_are_set_side_by_side() -> None:
    text = render(BENCH)
    assert text.startswith("100 records of a round, 9,000,000 bytes, on 4 processes")
    assert "first time  30.00 s  1.25 × floor" in text
    assert "again        0.20 s  remembered by their digests" in text
    assert "records         3.3  a second" in text
    assert json.loads(as_json(BENCH))["floor_ratio"] == 1.25


def test_a_quick_machine_has_figures_too() -> None:
    quick = LedgerBench(100, 9_000_000, 4, 0.030_001, 0.000_204_09, 0.024)
    told = json.loads(as_json(quick))
    assert (told["first_s"], told["again_s"], told["bytes"]) == (0.03, 0.000_204_1, 9_000_000)
