"""The tables of a match as one node knows them: the newest, the line to it, and forks."""

import pytest
from attrs import evolve

from engine.sentences import Sentence
from protocol.charter import SignedCharter
from protocol.continuation import open_table
from protocol.entries import Entry
from protocol.errors import Exposed, Unattributable
from protocol.evidence import Evidence
from protocol.match import history as history_module
from protocol.match.history import History, continued_place
from protocol.state import State
from protocol.table.record import TableRecord
from tests.protocol.continuing import concluded, offered
from tests.protocol.seeded_table import SeededTable
from tests.protocol.table.machine_world import MachineWorld, a_round
from tests.protocol.table.nodes import begun, forked_history


def record_of(state: State) -> TableRecord:
    """Return the record of player 0 that begins with that state."""
    return TableRecord(0, state.charter.key_of(0), state)


@pytest.mark.parametrize(
    ("players", "exposed", "possible"),
    [
        (2, 0, False),  # a match of two never goes on without one of them
        (3, 0, True),
        (3, 1, True),
        (3, 2, False),
        (4, 1, True),
        (4, 2, False),
        (5, 2, True),
        (5, 3, False),
    ],
)
def test_a_match_can_go_on_if_most_of_at_least_three_founders_can_sign(
    players: int, exposed: int, possible: bool
) -> None:
    history = begun(SeededTable.sit(players=players))
    keys = [member.key for member in history.members]
    assert history.can_go_on_without(frozenset(keys[:exposed])) == possible
    # The others can also sign if they have lost their seats, and wait for one.
    assert history.can_go_on_without(frozenset(keys), frozenset(keys[exposed:])) == possible


def test_the_newest_table_has_the_highest_attempt_and_a_line_back_to_the_first() -> None:
    table = SeededTable.sit(players=3)
    history = begun(table)
    first, start = history.newest, table.state
    table.step()
    first.take(table.state, table.entries[-1])
    # The state that is continued, the attempt, and the player who has left.
    places = (table.state, 2, 2), (start, 3, 2), (start, 1, 2), (start, 3, 1)
    later = [
        concluded(table, state, offered(state, [left], attempt=attempt))
        for state, attempt, left in places
    ]
    kept, newest = [], []
    for signed in later:
        record = record_of(open_table(start if signed.charter.attempt % 2 else table.state, signed))
        history.add(record, signed)
        kept.append(first.kept)
        newest.append(history.charter.attempt)
        assert history.newest.state is history.state
    assert (kept, newest) == ([1, 1, 1, 1], [2, 3, 3, 3])
    assert [one.state.charter.attempt for one in history.records.values()] == [0, 1, 2, 3, 3]
    assert history.line() == (first, history.newest)
    # Two tables have the same attempt if somebody has cheated. All nodes take the same one.
    assert history.newest.table_id == max(one.charter.table_id for one in (later[1], later[3]))
    assert history.charters == {
        signed.charter.table_id: signed for signed in (table.charter, *later)
    }
    assert [branch.attempt for branch in history.branches()] == [0, 1, 2, 3, 3]
    assert len([*history.members]) == 15


def test_a_continuation_begins_once_the_record_has_its_place() -> None:
    table = SeededTable.sit(players=3)
    history, start = begun(table), table.state
    table.step()
    sound = concluded(table, table.state, offered(table.state, [2]))
    assert history.begins(sound) is None
    assert History[TableRecord]().begins(sound) is None
    history.newest.take(table.state, table.entries[-1])
    assert history.begins(sound) == open_table(table.state, sound)
    at_start = concluded(table, start, offered(start, [2]))
    assert history.begins(at_start) == open_table(start, at_start)
    assert sound.charter.continues is not None
    assert continued_place(sound.charter) == table.state.place
    false = evolve(sound.charter, continues=evolve(sound.charter.continues, results=((5, 5, 5),)))
    with pytest.raises(Unattributable):
        history.begins(SignedCharter(false, sound.signatures, sound.abandons))
    history.newest.is_changing = True
    assert history.begins(sound) is None


def test_a_match_goes_on_from_a_fork_only_if_an_honest_member_has_the_other_entry() -> None:
    world = MachineWorld()
    history = forked_history(world)
    record, members = history.newest, history.charter.members
    assert history.exposed == {members[0].key}
    assert record.fork is not None
    assert [history.is_linked(one.key) for one in members] == [False, False, True]
    forks = [history.fork]
    list(world.happens("link ana"))
    for said in ("ana: status 44 another", "carla: status 44", "carla: status 44 another"):
        list(world.happens(said))
        forks.append(history.fork)
    assert forks == [None, None, None, record.fork]
    history.running.clear()
    assert history.fork is None
    assert not any(history.is_linked(one.key) for one in members)


def test_forks_at_earlier_tables_are_shown_with_both_entries(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    history = forked_history(MachineWorld())
    record, table = history.newest, a_round().table
    (error,) = record.exposures
    ours, other = error.evidence
    for player, cause, evidence in ((2, "R8", (ours,)), (1, "R11", (ours, other))):
        sentence, key = Sentence("Wrong."), history.charter.key_of(player)
        record.expose(Exposed(player, cause, sentence, evidence, key))
    assert history.evidence_of_forks() == {}  # everybody has the record of the newest table
    fork = record.state_at(43)
    signed = concluded(table, fork, offered(fork, [0]))
    history.add(record_of(open_table(fork, signed)), signed)
    both = Evidence(Entry.decode(ours), Entry.decode(other), record.state.charter).encode()
    assert history.evidence_of_forks() == {error.key: both}
    for limit, most in ((len(both), 1), (len(both) - 1, 0)):
        monkeypatch.setattr(history_module, "EVIDENCE_LIMIT", limit)
        assert len(history.evidence_of_forks()) == most
