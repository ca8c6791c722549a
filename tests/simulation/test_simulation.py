"""Some simulated tables, and tests of the oracles; `python -m tests.simulation` plays more."""

import json
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import cast

import pytest
from attrs import asdict, evolve

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
from tests.simulation.__main__ import SEEDS, Block, keep, main
from tests.simulation.machine import Machine
from tests.simulation.memory_journal import Killed, MemoryJournal, Transaction
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
    """Read the results of tables that have been played from the file."""
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
async def test_a_node_with_an_older_copy_may_write_an_entry_that_all_have_lost_anew(
    seated: tuple[Simulation, Machine, Moment], lost: bool
) -> None:
    """Report two entries in one place if any machine still has the first one."""
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


def test_a_restored_journal_is_doubtful_if_it_lacks_a_signature() -> None:
    journal = MemoryJournal()
    journal.create_table(b"table", b"charter", 0)
    journal.append(b"table", 1, b"of another")
    assert not journal.copy_of(1).doubtful
    assert journal.after_power_failure().entries(b"table") == ()  # entries of others are not synced
    journal.append(b"table", 2, b"own", {"lock/000001": b"lock"})
    assert journal.after_power_failure().entries(b"table") == (b"of another", b"own")
    assert journal.copy_of(2).doubtful
    assert journal.copy_of(2).secrets(b"table") == {}


@pytest.mark.parametrize("moved", [False, True])
def test_a_journal_whose_guard_changed_without_it_is_doubtful(moved: bool) -> None:
    journal = MemoryJournal(dies_after=1, on_guard=moved)
    journal.create_table(b"table", b"charter", 0)
    with pytest.raises(Killed):
        journal.append(b"table", 1, b"own", {})
    assert journal.after_power_failure().doubtful is moved
    assert journal.entries(b"table") == ()
