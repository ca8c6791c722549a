"""Some simulated tables, and the oracles; `python -m tests.simulation` plays more tables."""

from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import cast

import pytest
from attrs import evolve

from engine.sentences import Sentence
from p2p.storage.memberships import Membership
from protocol.continuation import continuation_of
from protocol.entries import OpenContent
from protocol.errors import Exposed
from protocol.evidence import Statement
from protocol.match.messages import Signed
from protocol.match.statements import encode_statement
from protocol.table.messages import Carry
from tests.protocol.played import Moment
from tests.protocol.proofless import without_proofs
from tests.simulation.__main__ import main
from tests.simulation.machine import Machine
from tests.simulation.memory_journal import Transaction
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


# -- The oracles notice these faults


@pytest.fixture
async def seated() -> tuple[Simulation, Machine, Moment]:
    """Return a table, a machine with its record so far, and the moment before the last entry."""
    simulation = Simulation(46)
    machine = simulation.machines[0]
    machine.node = simulation.node_for(machine, cast(Membership, machine.membership))
    await machine.node.restore()
    return simulation, machine, simulation.start.played.at(simulation.start.height - 1)


async def test_oracles_notice_a_sent_lock_and_an_exposed_honest_player(
    seated: tuple[Simulation, Machine, Moment],
) -> None:
    simulation, machine, moment = seated
    lock = next(iter(machine.journal.secrets(moment.state.table_id).values()))
    with pytest.raises(AssertionError, match="a secret is sent"):
        simulation.oracles.said(machine, [Carry(1, b"entry with " + lock)])
    assert machine.node is not None
    key = moment.state.charter.members[1].key
    error = Exposed(1, "R8", Sentence("They are said to have cheated."), (b"entry",), key)
    machine.node.tables.history.newest.expose(error)
    with pytest.raises(AssertionError, match="exposes an honest player"):
        simulation.oracles.check(machine)


async def test_oracles_notice_two_entries_in_one_place_and_two_continuations_of_one_attempt(
    seated: tuple[Simulation, Machine, Moment],
) -> None:
    simulation, machine, moment = seated
    height, oracles = moment.state.height + 1, simulation.oracles
    writer = simulation.machines[moment.writer]
    oracles.arrived(writer, Carry(height, moment.entry))
    with pytest.raises(AssertionError, match="signs two entries in place"):
        oracles.arrived(writer, Carry(height, moment.signed(OpenContent((), ()))))
    one = continuation_of(moment.state, [1], attempt=1)
    assert one.continues is not None
    other = evolve(one, continues=evolve(one.continues, ends=not one.continues.ends))
    said, contradicting = (
        Signed(encode_statement(Statement(charter, 0, charter.sign(machine.identity.sign))))
        for charter in (one, other)
    )
    for _ in range(2):
        oracles.arrived(machine, said)
    with pytest.raises(AssertionError, match="two continuations of attempt 1"):
        oracles.arrived(machine, contradicting)


@pytest.mark.parametrize("lost", [False, True])
async def test_a_node_with_an_older_copy_may_write_anew_an_entry_that_all_have_lost(
    seated: tuple[Simulation, Machine, Moment], lost: bool
) -> None:
    """The oracles report two entries in one place if any machine still has the first one."""
    simulation, seated_machine, moment = seated
    height, oracles = moment.state.height + 1, simulation.oracles
    writer = simulation.machines[moment.writer]
    writer.node = seated_machine.node
    oracles.arrived(writer, Carry(height, moment.entry))
    for machine in simulation.machines if lost else (writer,):
        machine.journal.base = machine.journal.base[: height - 1]
        machine.journal = machine.journal.after_power_failure()
    writer.journal.log.append(Transaction("doubt", "", value=True))
    again = Carry(height, moment.signed(OpenContent((), ())))
    oracles.said(writer, [again])
    with nullcontext() if lost else pytest.raises(AssertionError, match="signs two entries"):
        oracles.arrived(writer, again)
