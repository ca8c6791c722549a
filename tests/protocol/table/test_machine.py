"""The machine of a table and the node's own player, in cases that no scenario has."""

import math
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import pytest
from attrs import evolve

from engine.errors import IllegalMove
from engine.moves import Cut
from engine.sentences import Sentence
from protocol.entries import MoveContent
from protocol.errors import Exposed, Malformed, Refused
from protocol.player import LOST_LOCK, Player
from protocol.reducer import advance
from protocol.table import events, tasks
from protocol.table import machine as machine_module
from protocol.table.machine import TableMachine
from protocol.table.own_player import OwnPlayer
from tests.protocol.played import Moment, discarding, played, unlocking
from tests.protocol.proofless import without_proofs
from tests.protocol.seeded import seeded
from tests.protocol.table.machine_world import (
    FORK,
    MachineWorld,
    a_round,
    forked,
    record_of,
    table_machine,
)
from tests.protocol.table.peers_world import NAMES


def machine_at(height: int) -> TableMachine[str]:
    """Return the machine of Ana's node with `height` entries."""
    world = MachineWorld()
    list(world.happens(f"begin ana {height}"))
    return world.machine


def judged_at_once(machine: TableMachine[str], length: int) -> bool:
    """Return True if an entry of `length` bytes is judged at once, not in a thread."""
    event = events.Carried(2, machine.record.height + 1, bytes(length))
    task = machine.handle(event, 0).compute
    assert isinstance(task, tasks.JudgeEntry)
    return task.is_brief


def test_long_moves_and_unlockings_of_many_cards_are_judged_in_a_thread(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Verifying the proofs of many cards would block the node."""
    draws, shuffles = machine_at(32), machine_at(0)
    assert [judged_at_once(draws, length) for length in (256, 257)] == [True, False]
    assert not judged_at_once(shuffles, 1)
    height = next(n for n, one in enumerate(a_round().moments) if is_unlocking(one, 2))
    unlocks = machine_at(height)
    state = unlocks.record.state
    assert state.due is not None
    cards = len(state.owed_slots(state.due))
    for most, at_once in ((cards, True), (cards - 1, False)):
        monkeypatch.setattr(machine_module, "_BRIEF", most)
        assert judged_at_once(unlocks, 1) == at_once


def is_unlocking(moment: Moment, writer: int) -> bool:
    return moment.body.content.kind == "unlock" and moment.writer == writer


@pytest.mark.parametrize(
    ("fresh", "height", "begins"),
    [(True, 0, True), (False, 0, False), (True, 1, False), (False, 1, False)],
)
def test_only_a_node_that_is_fresh_in_every_way_writes_at_once(
    fresh: bool, height: int, begins: bool
) -> None:
    """Any other node must first hear from the others what it has written before.

    A node is fresh if it sits down for the first time, and its record is empty.
    """
    world = MachineWorld()
    name = NAMES[a_round().moments[height].writer]
    list(world.happens(f"begin {name} {height}{' fresh' * fresh}"))
    assert (world.machine.can_write, world.machine.resync.done) == (begins, begins)
    world.machine.peers.probe.found = True
    assert not world.machine.can_write


def test_a_node_makes_its_shuffle_early_only_once_it_may_write() -> None:
    at, me = next(
        (n, after.writer)
        for n, (one, after) in enumerate(pairwise(a_round().moments))
        if one.body.content.kind == after.body.content.kind == "shuffle"
    )
    world = MachineWorld()
    list(world.happens(f"begin {NAMES[me]} {at}"))
    entry = a_round().moments[at].entry
    for begun in (False, True):
        world.machine._has_begun = begun
        task = world.machine.handle(events.Carried(2, at + 1, entry), 0).compute
        assert isinstance(task, tasks.JudgeEntry)
        assert task.shuffles_on == begun


def test_a_table_that_has_not_started_does_not_check_if_it_may_write() -> None:
    """For this check it would ask to be woken at once, at 3.0. Its peers need it only at 4.0."""
    machine = machine_at(5)
    machine.since = math.inf
    assert machine.handle(events.Linked(1, 1), 3.0).wake == 4.0


def test_entries_far_ahead_of_the_record_are_not_kept() -> None:
    """Otherwise a member could fill the memory."""
    machine = machine_at(32)
    for height in range(34, 1000):
        ready = machine.handle(events.Carried(1, height, bytes(64)), 0)
        assert evolve(ready, wake=0) == tasks.Ready(wake=0)
    assert {height for _, height in machine._ahead} == {*range(34, 41)}


def test_nonsense_in_the_place_of_an_entry_ends_the_link() -> None:
    machine = machine_at(32)
    task = machine.handle(events.Carried(1, 5, b"no entry"), 0).compute
    assert isinstance(task, tasks.CompareEntry)
    with pytest.raises(Malformed):
        machine.handle(events.Computed(task, Malformed("That is no entry.")), 0)


def test_an_entry_carried_with_too_high_a_height_is_compared_in_its_own_place() -> None:
    """If it were judged as the next one, the evidence would lack the entry that it contradicts."""
    machine, (rival, *_) = machine_at(FORK + 1), forked()
    task = machine.handle(events.Carried(1, FORK + 2, rival), 0).compute
    assert task == tasks.CompareEntry(FORK + 1, rival)


def test_the_first_player_who_is_exposed_is_the_cheat() -> None:
    record = machine_at(32).record
    members = record.state.charter.members
    assert record.cheat is None
    for player in (2, 1):
        record.expose(Exposed(player, "R11", Sentence("A lie."), (), members[player].key))
    assert record.cheat == members[2]


def test_an_early_entry_is_not_judged_after_the_end() -> None:
    one = played()
    record = record_of(0, one.moments)
    machine = table_machine(record, one.table.signers[0])
    assert [*record._states] == [*range(record.height - 63, record.height + 1)]
    last = one.moments[-1].entry
    over = advance(record.state, last)
    assert over.complete
    machine.handle(events.Carried(1, over.height + 1, b"early"), 0)
    assert machine.handle(events.Persisted(tasks.Append(over, last)), 0).compute is None
    assert record.over
    assert machine.handle(events.Carried(1, over.height + 1, b"late"), 0).compute is None


def test_evidence_that_is_unreadable_or_of_another_table_has_the_next_height() -> None:
    chain = machine_at(32).record.chain
    own = a_round().moments[4].entry
    parts = (own, played("canasta", 2).moments[4].entry, b"no entry")
    assert [chain.height_of(part) for part in parts] == [5, 33, 33]


def test_no_match_goes_on_from_before_a_round_that_an_honest_player_has_closed() -> None:
    """A match goes on only from a fork, and only while the record still has the state there."""
    record = machine_at(44).record
    place = record.state_at(30).place
    assert not record.may_go_on_from(place)
    record._forks.add(30)
    assert record.may_go_on_from(place)
    for height, goes_on in ((30, True), (31, False)):
        record._closed[2] = {10: b"", height: b""}
        assert record.may_go_on_from(place) == goes_on
    del record._closed[2], record._states[30]
    assert not record.may_go_on_from(place)


@pytest.mark.parametrize("why", ["", "wrote", "continued", "comes back"])
def test_a_record_with_own_entries_after_a_fork_is_not_replaced(why: str) -> None:
    """There are three reasons to keep the record.

    The player has written after the fork, a later table continues the record there, or the node
    comes back after a restart and does not know yet if its player has written there. Without a
    reason ("") the record is replaced.
    """
    world = MachineWorld()
    for event in ("begin bruno 44", "link carla", "carla: carry 44 forked"):
        list(world.happens(event))
    record, resync = world.machine.record, world.machine.resync
    resync.done = why != "comes back"
    record.kept = 44 if why == "continued" else 43
    record.wrote = 44 if why == "wrote" else 43
    assert record.fork is not None
    assert (record.branch(record.fork).fork, record.branch(None).fork) == (record.fork, None)
    assert record.leads_to(record.fork)
    assert not record.leads_to(evolve(record.fork, previous=bytes(32)))
    for height in (44, 45):
        list(world.happens(f"carla: carry {height} forked"))
    assert record.height == (44 if why else 45)
    assert len(record.chain.heads) == record.height + 1
    assert [state.height for state in record._states.values()] == [*range(record.height + 1)]


def test_a_record_that_ends_at_a_fork_only_grows() -> None:
    """A journal can lose the entries after a fork and keep the evidence: nothing is taken back."""
    record, moments = machine_at(FORK).record, a_round().moments
    before, after = record.state, moments[FORK + 1].state
    steps = ((after, moments[FORK].entry),)
    assert record.take_other(tasks.TakeOther(before, steps)) == [tasks.Change(before, after)]


def test_a_record_cut_back_to_a_fork_knows_the_entries_before_it() -> None:
    """Each player's last entry before the fork can contradict a signature again."""
    cut, short = machine_at(49).record, machine_at(40).record
    (change,) = cut.take_other(tasks.TakeOther(cut.state_at(40), ()))
    assert change.taken_back == 9
    assert [cut.telling(player) for player in range(3)] == [short.telling(p) for p in range(3)]
    assert cut.wrote == short.wrote


# -- A node's own player: their view, their choices, and their entries


def player_at(moment: Moment, me: int, *, locks: bool = True, over: bool = False) -> OwnPlayer:
    """Return player `me` at that moment, by default while the match is not over."""
    live: Any = SimpleNamespace(state=moment.state, me=me, over=over)
    player = OwnPlayer(live, moment.table.signers[me])
    if locks:
        kept = moment.table.players[me]._locks
        player._player = Player(me, moment.table.signers[me], dict(kept))
    return player


def can(player: OwnPlayer) -> tuple[bool, bool]:
    """Return two values: if the player can choose a move now, and if they can write an entry."""
    return player.chooses, player.can_write


def test_a_move_is_chosen_and_then_written() -> None:
    moment = discarding()
    player, move = player_at(moment, moment.writer), moment.the(MoveContent).move
    assert player.trouble is None
    assert player.view is not None
    assert can(player) == (True, False)
    with pytest.raises(IllegalMove):
        player.choose(Cut(10_000))
    assert can(player) == (True, False)
    player.choose(move)
    assert can(player) == (False, True)
    with pytest.raises(Refused, match="not your turn"):
        player.choose(move)
    assert player.advanced(erases=False) == ()
    assert can(player) == (True, False)


def test_an_entry_without_a_choice_can_be_written_at_once() -> None:
    moment = unlocking()
    writer, other = player_at(moment, moment.writer), player_at(moment, moment.other)
    assert can(writer) == (False, True)
    assert can(other) == (False, False)
    with pytest.raises(Refused, match="not your turn"):
        other.choose(Cut(1))


def test_players_write_nothing_after_the_match() -> None:
    for moment in (unlocking(), discarding()):
        player = player_at(moment, moment.writer, over=True)
        assert can(player) == (False, False)
        assert player.view is not None
        with pytest.raises(Refused, match="not your turn"):
            player.choose(Cut(1))
        lost = player_at(moment, moment.writer, locks=False, over=True)
        assert lost.trouble is None  # after the match no lock is needed


def test_a_player_who_lost_a_lock_only_watches() -> None:
    for moment in (unlocking(), discarding()):
        player = player_at(moment, moment.writer, locks=False)
        assert player.trouble == LOST_LOCK
        assert player.view is None
        assert can(player) == (False, False)
        with pytest.raises(Refused) as raised:
            player.choose(Cut(1))
        assert raised.value.sentence == LOST_LOCK


def test_the_number_of_proofs_in_an_entry_is_known_before_it_is_written() -> None:
    """A move has at most as many proofs as it shows cards."""
    moment = unlocking()
    due = moment.state.due
    assert due is not None
    player, cards = player_at(moment, moment.writer), len(moment.state.owed_slots(due))
    assert [player.proves_at_most(cards + more) for more in (-1, 0)] == [False, True]
    moment = discarding()
    player = player_at(moment, moment.writer)
    assert not player.proves_at_most(9)
    player.choose(moment.the(MoveContent).move)
    assert [player.proves_at_most(cards) for cards in (0, 1, 2)] == [False, True, True]


def test_an_early_shuffle_is_used_only_after_the_entry_that_it_follows() -> None:
    """After the match nobody shuffles early."""
    moments = played().moments
    at = next(i for i, one in enumerate(moments) if one.body.content.kind == "shuffle")
    me, after = moments[at + 1].writer, moments[at + 1].state
    assert player_at(moments[at], me).shuffles_next
    assert not player_at(moments[at], me, over=True).shuffles_next
    with without_proofs():
        player = player_at(moments[at + 1], me)
        player.write_early(after, seeded("early"), map)
        assert player._early is not None
        early = player._early.written
        assert player.write(seeded("now"), map) is early
        assert player.write(seeded("now"), map) is not early
        player.write_early(after, seeded("early"), map)
        player._early = evolve(player._early, head=bytes(32))
        assert player.write(seeded("now"), map).entry != early.entry
        player.write_early(moments[at].state, seeded("early"), map)
        assert player._early is None


def test_locks_that_are_no_longer_needed_are_named() -> None:
    """While entries may be missing, no locks are named, because these entries may need them."""
    last = played().moments[-1]
    me = last.writer
    left_behind = last.table.players[me]._locks.keys() - {d.number for d in last.state.cards.deals}
    old = {f"lock/{number:06}" for number in left_behind}
    assert player_at(last, me).advanced(erases=False) == ()
    assert old
    assert {*player_at(last, me).advanced(erases=True)} == old
