"""Some simulated tables; `python -m tests.simulation` plays more."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import asdict

from tests.protocol.proofless import without_proofs
from tests.simulation.__main__ import SEEDS, Block, keep, main
from tests.simulation.simulation import Simulation
from tests.simulation.starts import simulated_nodes

TABLES = dict(line.split(maxsplit=1) for line in SEEDS.read_text("utf-8").splitlines())
"""The kept simulated tables: a description of each, by seed; `--keep` adds one."""


@pytest.fixture(scope="module", autouse=True)
def simulated() -> Iterator[None]:
    with without_proofs(), simulated_nodes():
        yield


@pytest.mark.parametrize("seed", TABLES)
def test_the_oracles_find_no_error_at_the_kept_tables(seed: str) -> None:
    Simulation(int(seed)).run()


def test_a_seed_repeats_the_same_table() -> None:
    one, other = Simulation(6), Simulation(6)
    one.run()
    other.run()
    assert one.figures == other.figures


def test_an_interrupted_run_continues_without_repeating_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The results of the tables that were played before are read from the file."""
    results = tmp_path / "results"
    failed = Block(1, 5, {"messages": 7}, {"3": "what was wrong"})
    results.write_text(json.dumps(asdict(failed)) + "\n")
    arguments = ["simulation", "--tables", "5", "--results", str(results)]
    monkeypatch.setattr("sys.argv", arguments)
    assert main() == 1
    told = capsys.readouterr().out
    assert "seed 3:\nwhat was wrong" in told
    assert "5  tables" in told
    assert len(results.read_text().splitlines()) == 1


def test_keep_writes_the_seed_to_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.simulation.__main__.SEEDS", tmp_path / "seeds.txt")
    keep("5", "somebody was framed")
    assert (tmp_path / "seeds.txt").read_text() == "5 somebody was framed\n"
