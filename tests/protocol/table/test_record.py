"""The record of a table in memory: forks, closings, and replaced entries."""

import pytest
from attrs import evolve

from engine.sentences import Sentence
from protocol.continuation import open_table
from protocol.entries import Entry
from protocol.errors import Exposed
from protocol.evidence import Evidence
from protocol.table.digest_chain import Chain
from protocol.table.record import TableRecord
from protocol.table.records_after_fork import OtherRecords
from protocol.table.tasks import TakeOther
from tests.protocol.continuing import concluded, offered
from tests.protocol.table.machine_world import FORK, MachineWorld, a_round, forked, record_of

END = 44


def record_at(height: int = END) -> TableRecord:
    """Return Bruno's record with the first entries of the round."""
    return record_of(1, a_round().moments[: height + 1])


def exposure(*evidence: bytes, player: int = 0, cause: str = "R8") -> Exposed:
    key = a_round().table.state.charter.key_of(player)
    first, *rest = evidence
    parts = (first, rest[0]) if rest else (first,)
    return Exposed(player, cause, Sentence("There are two."), parts, key)


def both(height: int = END) -> tuple[bytes, bytes]:
    """Return the two entries of that height."""
    return a_round().moments[height - 1].entry, forked()[height - 1 - FORK]


def test_two_entries_of_one_height_make_a_fork_before_them() -> None:
    ours, other = both()
    charter = a_round().table.charter.charter
    evidence = Evidence(Entry.decode(ours), Entry.decode(other), charter).encode()
    for length, error, fork in (
        (END, exposure(ours, other), FORK),
        (END, exposure(other), FORK),
        (FORK, exposure(ours, other), FORK),
        (FORK - 1, exposure(ours, other), None),  # the record does not reach the fork
        (END, exposure(evidence), None),
        (END, exposure(ours, cause="R9"), None),
        (END, exposure(ours, other, cause="R11"), None),
    ):
        record = record_at(length)
        assert (record.exposed, record.over) == (None, False)
        record.expose(error)
        assert (record.exposed, record.over) == (error, True)
        place = None if fork is None else record.state_at(fork).place
        assert record.fork == place, (length, error.cause)
        entries = [part for part in error.evidence if part != evidence]
        assert [part for _, part in record.chain.evidence] == entries


def test_each_fork_is_noted_but_only_the_first_exposure_of_a_player() -> None:
    record = record_at()
    ours, other = both()
    record.expose(exposure(ours, cause="R9"))
    record.expose(exposure(ours, other))
    record.expose(exposure(other, player=2))
    assert [error.cause for error in record.exposures] == ["R9", "R8"]
    assert record.forks_at(record.state_at(FORK).place)
    assert record.exposing(record.exposures) == (ours, other)
    record._forks |= {8, 1}
    assert record.fork == record.state_at(1).place


def test_a_match_goes_on_at_the_exact_place_of_a_fork_if_the_state_there_is_in_memory() -> None:
    record = record_at()
    record.expose(exposure(*both()))
    place = record.state_at(FORK).place
    others = {"previous": bytes(32)}, {"table_id": bytes(32)}, {"height": FORK - 1}
    for wrong, way_on in (({}, True), *((other, False) for other in others)):
        at = evolve(place, **wrong)
        answers = {record.leads_to(at), record.forks_at(at), record.may_go_on_from(at)}
        assert answers == {way_on}
    end = record.state.place
    assert (record.leads_to(end), record.forks_at(end)) == (True, False)
    assert not record.leads_to(evolve(end, height=END + 1))
    record.is_changing = True
    assert (record.leads_to(place), record.forks_at(place)) == (False, False)
    record.is_changing = False
    del record._states[FORK]
    assert (record.leads_to(place), record.forks_at(place)) == (True, False)


@pytest.mark.parametrize(
    ("closed", "height"),
    [
        ({}, 0),
        ({2: {}}, 0),
        ({2: {5: b"", 9: b""}}, 9),
        ({0: {20: b""}, 2: {7: b""}, 1: {3: b""}}, 7),
    ],
)
def test_closings_of_exposed_players_do_not_count(
    closed: dict[int, dict[int, bytes]], height: int
) -> None:
    record = record_at()
    record.expose(exposure(*both()))
    record._closed = closed
    assert record._closed_by_honest == height
    assert record.branch(None).closed == max(closed.get(1, ()), default=0)


def test_a_branch_says_at_which_height_this_player_last_closed_a_round() -> None:
    record = record_at()
    record._closed[1] = {5: b"", 9: b""}
    assert record.branch(None).closed == 9
    record._closed[0] = {4: b"four", 8: b"eight"}
    record._chosen[0] = {12: b"twelve"}
    # Closings, and the last entry that is no unlocking, can contradict a signature.
    assert record.telling(0) == (b"four", b"eight", b"twelve")


def test_a_record_is_over_at_the_end_of_the_match() -> None:
    table, start = a_round().table, a_round().moments[0].state
    ended = open_table(start, concluded(table, start, offered(start, [2], ends=True)))
    assert TableRecord(0, ended.charter.key_of(0), ended).over


def test_entries_after_a_fork_are_replaced() -> None:
    world = MachineWorld()
    for event in ("begin bruno 49", "link carla", "carla: carry 44 forked"):
        list(world.happens(event))
    record = world.machine.record
    ours, other = both()
    record._forks |= {FORK - 1, FORK + 1}
    later = a_round().moments[45].entry
    kept = (exposure(b"no entry", player=1, cause="C1"), exposure(later, other, player=2))
    for error in (*kept, exposure(later, player=2, cause="R9")):
        record.expose(error)
    state = record.state
    changes = record.take_other(TakeOther(record.state_at(FORK), ()))
    assert [(one.before, one.after.height, one.taken_back) for one in changes] == [(state, FORK, 6)]
    assert changes[0].after == evolve(record.state_at(FORK), last=None)
    assert record._forks == {FORK - 1, FORK}
    assert [error.player for error in record.exposures] == [0, 1, 2]
    assert [error.evidence for error in record.exposures][1:] == [one.evidence for one in kept]
    assert (record.is_changing, record.wrote) == (False, FORK)
    # An entry in evidence continues the record if it comes right after an entry of the record.
    entries = [moment.entry for moment in a_round().moments]
    continued = [record._continues(entries[height - 1]) for height in (1, 43, 44, 45)]
    assert continued == [True, True, True, False]
    assert (record._continues(ours), record._continues(other)) == (True, True)


def test_other_records_are_followed_from_the_fork_on() -> None:
    """The entries of each member's record are listed, from the fork on.

    If an entry does not follow the last one listed, the list starts anew with this entry.
    """
    moments = a_round().moments
    record = record_at()
    record.expose(exposure(*both()))
    others = OtherRecords(record)
    steps = [(moment.state, moment.entry) for moment in moments]
    assert others.state_before(2, b"no entry") is None
    assert others.state_before(2, steps[FORK][1]) is record.state_at(FORK)
    assert others.state_before(2, steps[FORK + 1][1]) is None
    fork, first, second, third = (steps[FORK + n][0] for n in range(4))
    assert others.add(2, fork, first, b"44") is None  # that record is not longer than this one
    assert not record.is_changing
    assert others.state_before(2, steps[FORK + 1][1]) is first
    found = others.add(2, first, second, b"45")
    assert found == TakeOther(fork, ((first, b"44"), (second, b"45")))
    assert record.is_changing
    assert others.add(2, first, third, b"46") == TakeOther(first, ((third, b"46"),))


def test_the_newest_64_entries_are_kept() -> None:
    chain = Chain(a_round().table.charter.charter, [bytes(32)])
    for number in range(1, 71):
        chain.append(b"%d" % number, bytes([number]) * 32)
    assert [*chain.recent] == [*range(7, 71)]
    assert (chain.has(7, b"7"), chain.has(8, b"7"), chain.has(6, b"6")) == (True, False, False)
    assert (chain.height, chain.table_id) == (70, bytes(32))
