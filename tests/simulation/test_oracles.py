"""The oracles of simulated tables: each notices its own kind of fault, and only that."""

from collections.abc import Iterator
from contextlib import nullcontext
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
from tests.simulation.machine import Machine
from tests.simulation.memory_journal import Transaction
from tests.simulation.simulation import Simulation
from tests.simulation.starts import simulated_nodes


@pytest.fixture(scope="module", autouse=True)
def simulated() -> Iterator[None]:
    with without_proofs(), simulated_nodes():
        yield


@pytest.fixture
async def seated() -> tuple[Simulation, Machine, Moment]:
    """Return a table, a machine with its record so far, and the moment before the last entry."""
    simulation = Simulation(46)
    machine = simulation.machines[0]
    machine.node = simulation.node_for(machine, cast(Membership, machine.membership))
    await machine.node.restore()
    return simulation, machine, simulation.start.played.at(simulation.start.height - 1)


async def test_oracles_notice_a_sent_lock(
    seated: tuple[Simulation, Machine, Moment],
) -> None:
    simulation, machine, moment = seated
    lock = next(iter(machine.journal.secrets(moment.state.table_id).values()))
    with pytest.raises(AssertionError, match="a secret is sent"):
        simulation.oracles.said(machine, [Carry(1, b"entry with " + lock)])


async def test_oracles_notice_an_exposed_honest_player(
    seated: tuple[Simulation, Machine, Moment],
) -> None:
    simulation, machine, moment = seated
    assert machine.node is not None
    cause = Sentence("They are said to have cheated.")
    key = moment.state.charter.members[1].key
    record = machine.node.tables.history.newest
    record.expose(Exposed(1, "R8", cause, (b"entry",), key))
    with pytest.raises(AssertionError, match="exposes an honest player"):
        simulation.oracles.check(machine)


async def test_oracles_notice_two_entries_in_one_place(
    seated: tuple[Simulation, Machine, Moment],
) -> None:
    simulation, _, moment = seated
    height = moment.state.height + 1
    writer, oracles = simulation.machines[moment.writer], simulation.oracles
    oracles.arrived(writer, Carry(height, moment.entry))
    with pytest.raises(AssertionError, match="says two things in place"):
        oracles.arrived(writer, Carry(height, moment.signed(OpenContent((), ()))))


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
    with nullcontext() if lost else pytest.raises(AssertionError, match="says two things"):
        oracles.arrived(writer, again)


async def test_oracles_notice_two_continuations_with_one_attempt(
    seated: tuple[Simulation, Machine, Moment],
) -> None:
    simulation, machine, moment = seated
    one = continuation_of(moment.state, [1], attempt=1)
    assert one.continues is not None
    other = evolve(one, continues=evolve(one.continues, ends=not one.continues.ends))
    for number, charter in enumerate((one, one, other)):
        statement = Statement(charter, 0, charter.sign(machine.identity.sign))
        said = Signed(encode_statement(statement))
        if number < 2:
            simulation.oracles.arrived(machine, said)
        else:
            with pytest.raises(AssertionError, match="two continuations of attempt 1"):
                simulation.oracles.arrived(machine, said)
