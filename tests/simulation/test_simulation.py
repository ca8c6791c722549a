"""Some simulated tables, and what the oracles see. More tables are a command:
`python -m tests.simulation`.
"""

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import cast

import pytest
from attrs import asdict

from engine.sentences import Sentence
from p2p.replacement.votes import vote_of
from p2p.storage.memberships import Membership
from p2p.transport.messages import Carry
from protocol.absence import absence
from protocol.ballot import Act
from protocol.entries import AbsentContent, OpenContent, Place
from protocol.errors import Exposed
from protocol.state import Step
from tests.protocol.played import Moment
from tests.simulation.__main__ import SEEDS, Block, keep, main
from tests.simulation.machine import Machine
from tests.simulation.memory_journal import Killed, MemoryJournal
from tests.simulation.oracles import _has_overtaken
from tests.simulation.simulation import Simulation
from tests.simulation.tables import simulated_nodes, without_proofs

TABLES = dict(line.split(maxsplit=1) for line in SEEDS.read_text("utf-8").splitlines())
"""What happens at the tables that are kept, by seed; `--keep` of the command adds one."""


@pytest.fixture(scope="module", autouse=True)
def simulated() -> Iterator[None]:
    with without_proofs(), simulated_nodes():
        yield


@pytest.mark.parametrize("seed", TABLES)
def test_a_simulated_table_comes_to_no_wrong_verdict(seed: str) -> None:
    Simulation(int(seed)).run()


def test_a_seed_is_the_same_table_again() -> None:
    one, other = Simulation(49), Simulation(49)
    one.run()
    other.run()
    assert one.figures == other.figures


def test_what_was_played_is_remembered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A run that was broken off goes on where it was; the same tables are not played again."""
    results = tmp_path / "results"
    failed = Block(1, 50, {"messages": 7}, {"3": "what was wrong"})
    results.write_text(json.dumps(asdict(failed)) + "\n")
    arguments = ["simulation", "--tables", "50", "--results", str(results)]
    monkeypatch.setattr("sys.argv", arguments)
    assert main() == 1
    told = capsys.readouterr().out
    assert "seed 3:\nwhat was wrong" in told
    assert "50  tables" in told
    assert len(results.read_text().splitlines()) == 1


def test_a_seed_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.simulation.__main__.SEEDS", tmp_path / "seeds.txt")
    keep("5", "somebody was framed")
    assert (tmp_path / "seeds.txt").read_text() == "5 somebody was framed\n"


@pytest.fixture
async def seated() -> tuple[Simulation, Machine, Moment]:
    """A table, a machine whose node has its record so far, and the moment before the last entry."""
    simulation = Simulation(46)
    simulation.oracles.start = 0
    machine = simulation.machines[0]
    machine.node = simulation.node_for(machine, cast(Membership, machine.membership))
    await machine.node.restore()
    return simulation, machine, simulation.start.played.at(simulation.start.height - 1)


async def test_the_oracles_see_a_lock_that_is_sent(
    seated: tuple[Simulation, Machine, Moment],
) -> None:
    simulation, machine, _ = seated
    lock = next(iter(machine.journal.secrets(b"").values()))
    with pytest.raises(AssertionError, match="a secret is sent"):
        simulation.oracles.said(machine, [Carry(1, b"entry with " + lock)])


async def test_the_oracles_see_an_honest_player_exposed(
    seated: tuple[Simulation, Machine, Moment],
) -> None:
    simulation, machine, _ = seated
    assert machine.node is not None
    cause = Sentence("They are said to have cheated.")
    machine.node.live_record.exposed = Exposed(1, "R8", cause, (b"entry",))
    with pytest.raises(AssertionError, match="exposes honest Bruno"):
        simulation.oracles.check(machine, simulation.machines)


async def test_the_oracles_see_a_cheat_that_was_shown_to_a_node_and_exposed_by_nobody(
    seated: tuple[Simulation, Machine, Moment],
) -> None:
    simulation, machine, moment = seated
    height = moment.state.height + 1
    sender = simulation.machines[moment.other].key
    simulation.oracles.heard(sender, machine, Carry(height, moment.entry))
    rival = Carry(height, moment.signed(OpenContent((), ())))
    with pytest.raises(AssertionError, match="shown a cheat"):
        simulation.oracles.heard(sender, machine, rival)
    simulation.oracles.heard(b"no member", machine, rival)


async def test_the_oracles_see_two_entries_in_one_place_unless_the_first_is_lost_by_all(
    seated: tuple[Simulation, Machine, Moment],
) -> None:
    simulation, machine, moment = seated
    height = moment.state.height + 1
    writer, oracles = simulation.machines[moment.writer], simulation.oracles
    rival = Carry(height, moment.signed(OpenContent((), ())))
    oracles.arrived(writer, Carry(height, moment.entry), [machine])
    with pytest.raises(AssertionError, match="says two things in place"):
        oracles.arrived(writer, rival, [machine])
    oracles.cheats.machines.append(machine)
    with pytest.raises(AssertionError, match="says two things in place"):
        oracles.arrived(writer, rival, [])  # a cheat may have kept it
    oracles.cheats.machines.clear()
    oracles.arrived(writer, rival, [])


async def test_the_oracles_see_two_acts_of_which_nobody_is_exposed(
    seated: tuple[Simulation, Machine, Moment],
) -> None:
    simulation, machine, moment = seated
    due = moment.state.due
    assert due is not None
    place, other = moment.state.next_place, moment.other
    other_key, sign = moment.state.charter.members[other].key, moment.ring.signers[other]
    body = absence(moment.state, AbsentContent((due.player,))).encode()
    simulation.oracles.heard(other_key, machine, vote_of(Act.vote(body, other_key, sign)))
    refusal = vote_of(Act.refusal(place, other, other_key, sign))
    with pytest.raises(AssertionError, match="shown a cheat"):
        simulation.oracles.heard(other_key, machine, refusal)


async def test_the_oracles_see_two_states_at_one_height(
    seated: tuple[Simulation, Machine, Moment], monkeypatch: pytest.MonkeyPatch
) -> None:
    simulation, machine, _ = seated
    check = partial(simulation.oracles.check, machine, simulation.machines)
    simulation.cheats.machines.clear()
    check()
    assert machine.node is not None
    height, head = machine.node.height, machine.node.state.head
    moment = simulation.start.played.at(height)
    before = machine.node.head_at(height - 1)
    place, charter = Place(moment.state.table_id, height, before), moment.state.charter
    keys = [member.key for member in charter.members]
    late = keys[moment.writer]
    joint = tuple(key for key in keys if key != late)
    for number, step in enumerate((Step(place, joint, is_joint=True), Step(place, joint[:1]))):
        rival = bytes([number]) * 32
        simulation.oracles._steps[rival] = step, charter
        simulation.oracles._heads[height] = {head, rival}
        with monkeypatch.context() as patch:
            patch.setattr("tests.simulation.oracles._is_kept", lambda *_: True)
            if step.is_joint:
                check()  # who wrote the newest entry is called absent
            else:
                with pytest.raises(AssertionError, match="two states at height"):
                    check()
        check()  # in nobody's journal is the rival


def test_who_is_called_absent_may_have_written_on_alone() -> None:
    charter = Simulation(46).start.played.ring.state.charter
    keys = tuple(member.key for member in charter.members)
    absence = Step(Place(bytes(32), 1, bytes(32)), keys[1:], is_joint=True)
    alone, another = (Step(Place(bytes(32), 2, bytes(32)), (key,)) for key in keys[:2])
    ours = [(alone, charter), (absence, charter)]
    assert _has_overtaken(ours, [(alone, charter)] * 2)
    assert not _has_overtaken(ours, [(another, charter), (alone, charter)])
    assert not _has_overtaken([(alone, charter)] * 2, ours)


def test_a_journal_put_back_is_doubtful_if_a_signature_is_missing() -> None:
    journal = MemoryJournal()
    journal.create_table(b"table", b"charter", 0)
    journal.append(b"table", 1, b"of another")
    assert not journal.copy_of(1).doubtful
    assert journal.after_power_failure().entries(b"table") == ()  # it was not synced
    journal.append(b"table", 2, b"own", {"lock/000001": b"lock"})
    assert journal.after_power_failure().entries(b"table") == (b"of another", b"own")
    assert journal.copy_of(2).doubtful
    assert journal.copy_of(2).secrets(b"table") == {}


@pytest.mark.parametrize("moved", [False, True])
def test_a_machine_that_dies_after_its_guard_has_moved_is_in_doubt(moved: bool) -> None:
    journal = MemoryJournal(dies_after=1, on_guard=moved)
    journal.create_table(b"table", b"charter", 0)
    with pytest.raises(Killed):
        journal.append(b"table", 1, b"own", {})
    assert journal.after_power_failure().doubtful is moved
    assert journal.entries(b"table") == ()
