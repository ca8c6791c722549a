"""All states that can follow when a cheat signs two different openings of the last hand.

After each of the openings the players close the round, so there are two lines of entries. The
exploration runs the real machines of the honest players. They receive openings and closings in any
order, and can hear of the other line at any moment. In the end they have told each other
everything. No honest player signs two closings, because a player who knows of a cheat writes no
more.
"""

from collections.abc import Iterator
from functools import cache, cached_property

import pytest
from attrs import evolve, frozen

from protocol.agreement import Offer, check_may_sign
from protocol.entries import OpenContent
from protocol.errors import Refused, RemoteError
from protocol.group import ONE
from protocol.player import Player
from protocol.reducer import advance, check_equivocation
from protocol.state import State
from protocol.table import events, tasks
from protocol.table.machine import TableMachine
from protocol.table.record import TableRecord
from protocol.table.records_after_fork import OtherRecords
from protocol.unlock import UnlockProof
from tests.protocol.played import Moment, play
from tests.protocol.proofless import without_proofs
from tests.protocol.seeded import seeded
from tests.protocol.table.machine_world import record_of, table_machine

Steps = tuple[tuple[State, bytes], ...]


@frozen(slots=False)
class Fork:
    """The end of a round whose last opening is signed in two ways by one of the `cheats`.

    Two lines of entries follow the fork. Each consists of one of the openings and then the closings
    of all players.
    """

    seed: int
    players: int
    more_cheats: frozenset[int] = frozenset()

    @cached_property
    def moments(self) -> tuple[Moment, ...]:
        played = play("canasta", self.players, seed=self.seed, until=_is_closed, rounds=2)
        opening = played.last("open").state.height
        return played.moments[: opening + 1]

    @property
    def cheats(self) -> frozenset[int]:
        return self.more_cheats | {self.moments[-1].writer}

    @cached_property
    def honest(self) -> tuple[int, ...]:
        return tuple(player for player in range(self.players) if player not in self.cheats)

    @cached_property
    def lines(self) -> tuple[Steps, Steps]:
        fork = self.moments[-1]
        proof = UnlockProof(ONE, ONE + ONE)
        content = fork.the(OpenContent)
        again = evolve(content, proofs=tuple(proof.encode() for _ in content.proofs))
        return self._line(fork.entry), self._line(fork.signed(again))

    def _line(self, opening: bytes) -> Steps:
        state, entries, table = self.moments[-1].state, [opening], self.moments[-1].table
        steps: list[tuple[State, bytes]] = []
        while True:
            state = advance(state, entries[-1])
            steps.append((state, entries[-1]))
            if _is_closed(state):
                return tuple(steps)
            writer = state.writers[0]
            player = Player(writer, table.signers[writer], table.players[writer]._locks)
            entries.append(player.write(state, seeded("close")).entry)

    @cached_property
    def closers(self) -> tuple[int, ...]:
        return tuple(state.writers[0] for state, _ in self.lines[0][:-1])

    # -- the node of a player

    def machine(self, me: int, line: int, length: int) -> TableMachine[str]:
        """Return the machine of a player whose record has `length` entries of that line."""
        record = record_of(me, self.moments)
        for state, entry in self.lines[line][:length]:
            record.take(state, entry)
        machine = table_machine(record, self.moments[0].table.signers[me])
        machine.resync.done = machine._has_begun = True
        return machine

    def shown(self, machine: TableMachine[str], line: int, length: int) -> None:
        """Send the first entries of a line to that node.

        They are sent twice, because a node sends entries again until they are confirmed.
        """
        first = self.moments[-1].state.height + 1
        for _ in range(2):
            for height, (_, entry) in enumerate(self.lines[line][:length], first):
                _handle(machine, events.Carried(self.honest[0], height, entry))


def _is_closed(state: State) -> bool:
    """Return True if all have closed the first round."""
    return bool(state.results) and not state.match.round_over


def _handle(machine: TableMachine[str], event: events.TableEvent[str]) -> None:
    try:
        ready = machine.handle(event, 0)
    except RemoteError:
        return
    for what in ready.persist:
        _handle(machine, events.Persisted(what))
    if ready.compute is not None:
        _handle(machine, events.Computed(ready.compute, _computed(machine, ready.compute)))


def _computed(machine: TableMachine[str], task: tasks.Compute) -> State | RemoteError | None:
    try:
        match task:
            case tasks.JudgeEntry(before, entry):
                return advance(before, entry)
            case tasks.CompareEntry(height, entry):
                ours = machine.record.chain.recent[height]
                check_equivocation(machine.record.start.charter, ours, entry)
    except RemoteError as error:
        return error
    return None


@frozen
class Known:
    """The record of a player: `length` entries of a line.

    `forked` is True if the player knows of the fork.
    """

    line: int
    length: int
    forked: bool = False


World = tuple[Known, ...]
"""The records of the honest players. A player has signed their closing if their record has it."""


@frozen(slots=False, eq=False)
class Exploration:
    """A search through all states that a fork can lead to."""

    fork: Fork

    @cache  # noqa: B019 - the cache keeps each exploration alive, but there are few
    def after(self, me: int, mine: Known, line: int, length: int) -> Known:
        """Return a player's record after they are shown `length` entries of the other line."""
        machine = self.fork.machine(me, mine.line, mine.length)
        self.fork.shown(machine, line, length)
        assert machine.record.exposures
        assert not machine.can_write, "a player who knows of a cheat still writes"
        height = machine.record.height - self.fork.moments[-1].state.height
        took = machine.record.state.head == self.fork.lines[line][height - 1][0].head
        return Known(line if took else mine.line, height, forked=True)

    def has_closed(self, world: World, line: int, number: int) -> bool:
        """Return True if other players may have that closing of a line."""
        if number == len(self.fork.closers):
            return False
        closer = self.fork.closers[number]
        if closer in self.fork.cheats:
            return True
        known = world[self.fork.honest.index(closer)]
        return known.line == line and known.length > number + 1

    def longest(self, world: World, line: int) -> int:
        """Return the number of entries that exist so far in a line."""
        closings = range(len(self.fork.closers) + 1)
        return next(n + 1 for n in closings if not self.has_closed(world, line, n))

    def next(self, world: World) -> Iterator[World]:
        for index, me in enumerate(self.fork.honest):
            for known in self._next_of(world, me, world[index]):
                yield (*world[:index], known, *world[index + 1 :])

    def _next_of(self, world: World, me: int, mine: Known) -> Iterator[Known]:
        if not mine.length:
            yield from (evolve(mine, line=line, length=1) for line in (0, 1))
            return
        if mine.length <= len(self.fork.closers):
            writes = self.fork.closers[mine.length - 1] == me and not mine.forked
            if writes or mine.length < self.longest(world, mine.line):
                yield evolve(mine, length=mine.length + 1)
        other = 1 - mine.line
        for length in range(1, self.longest(world, other) + 1):
            yield self.after(me, mine, other, length)

    def settled(self, world: World) -> World:
        """Return the records of all players after they have told each other everything."""
        while True:
            later = world
            for index, me in enumerate(self.fork.honest):
                mine = later[index]
                mine = evolve(mine, length=max(mine.length, self.longest(later, mine.line)))
                mine = self.after(me, mine, 1 - mine.line, self.longest(later, 1 - mine.line))
                later = (*later[:index], mine, *later[index + 1 :])
            if later == world:
                return world
            world = later

    def may_go_on(self, world: World) -> bool:
        """Return True if all honest players may sign what any of them proposes."""
        ends = [max((k.length for k in world if k.line == line), default=1) for line in (0, 1)]
        records = [
            self._record(me, known, ends[1 - known.line])
            for me, known in zip(self.fork.honest, world, strict=True)
        ]
        apart = len({record.state.head for record in records}) > 1
        for leader in records:
            place = leader.fork if apart and leader.fork is not None else leader.state.place
            for record in records:
                try:
                    check_may_sign([record.branch(place)], 0, Offer(place, 1))
                except Refused:
                    return False
        return True

    @cache  # noqa: B019
    def _record(self, me: int, known: Known, others: int) -> TableRecord:
        machine = self.fork.machine(me, known.line, known.length)
        self.fork.shown(machine, 1 - known.line, others)
        return machine.record

    def explored(self) -> tuple[int, int]:
        """Return the number of states, and the number of settled ones where the match is stuck."""
        begin = (Known(0, 0),) * len(self.fork.honest)
        seen, todo, rests = {begin}, [begin], set()
        while todo:
            world = todo.pop()
            if all(known.length for known in world):
                settled = self.settled(world)
                if not self.may_go_on(settled):
                    rests.add(settled)
            for later in self.next(world):
                if later not in seen:
                    seen.add(later)
                    todo.append(later)
        return len(seen), len(rests)


FORKS = (Fork(1, 3), Fork(5, 4), Fork(5, 5, frozenset({2})))


@pytest.fixture(autouse=True)
def proofless() -> Iterator[None]:
    with without_proofs():
        yield


@pytest.mark.parametrize(
    ("fork", "states"), [*zip(FORKS, (141, 1517, 3465), strict=True)], ids=["three", "four", "five"]
)
def test_the_honest_players_can_go_on_in_every_state(fork: Fork, states: int) -> None:
    assert Exploration(fork).explored() == (states, 0)


def test_without_replacing_records_the_match_can_get_stuck(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(OtherRecords, "add", lambda *_: None)
    _, rests = Exploration(FORKS[0]).explored()
    assert rests
