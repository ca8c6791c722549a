"""Some simulated tables; `python -m tests.simulation` plays more."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.protocol.proofless import without_proofs
from tests.simulation.__main__ import main
from tests.simulation.simulation import Simulation
from tests.simulation.starts import simulated_nodes

SEEDS = Path(__file__).with_name("seeds.txt")
"""The seeds of the tables that are kept as tests, each with what was once wrong there."""


@pytest.fixture(scope="module", autouse=True)
def simulated() -> Iterator[None]:
    with without_proofs(), simulated_nodes():
        yield


@pytest.mark.parametrize("line", SEEDS.read_text("utf-8").splitlines())
def test_the_oracles_find_no_error_at_the_kept_tables(line: str) -> None:
    Simulation(int(line.split(maxsplit=1)[0])).run()


def test_a_seed_repeats_the_same_table() -> None:
    one, other = Simulation(6), Simulation(6)
    one.run()
    other.run()
    assert one.figures == other.figures


def test_the_command_tells_the_seeds_with_an_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(simulation: Simulation) -> None:
        simulation.figures["messages"] += 7
        assert simulation.seed != 3, "what was wrong"

    monkeypatch.setattr(Simulation, "run", run)
    assert main(["--tables", "5"]) == 1
    told = capsys.readouterr().out
    assert "what was wrong" in told
    assert "        35  messages\n" in told
    assert told.endswith("         1  with an error: 3\n")
