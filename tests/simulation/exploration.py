"""Exploration of all that can happen when the founders of a match go on by continuations.

It takes every order of messages, lost ones, several proposals at once, deaths, and players who
cheat. The rules are the shipped functions of `protocol.agreement` and `protocol.evidence`; the
match is an abstract one (`tests.simulation.abstract_match`). It checks these properties of
`spec/record.md`, 6:

- P1: no honest key satisfies C1, C2 or C3.
- P2: a round that all have closed is counted in every table with a higher attempt.
- P3: wherever more than half of the founders are present, honest and sure of their journals, they
  can all sign a continuation with which each of them may play on.
- P4: of two tables at which all have closed a round, the newer has all results of the other.
- P5: no table is played on by all after some have left it by a continuation.

P2, P4 and P5 hold unless a founder is exposed. Five reductions keep the states few:

- Nobody hears anything before they need it. What all have said lies on one heap, of which a node
  takes what its next step asks for, and all that this continues. So messages are late, lost,
  repeated and in any order, and a node that is dead is one that takes no step. To know more never
  allows what was not allowed before, but for what it asks for itself.
- Of a node's record the newest table counts that it knows, and how far: the rules look at nothing
  else. Its own words are told from the heap; nobody else says them.
- Somebody who cheats knows everything, and says only what others can use: entries in turn, and
  signatures for continuations that all honest signers have signed. The order of the others' words
  is not changed by saying them later. What exposes a cheat is not followed, unless `beyond`: P2,
  P4 and P5 hold from then on, and for P1 and P3 there is `beyond`.
- Newcomers in the seats of others, and the end of a match: see `tests.simulation.abstract_match`.
- The numbers of continuations are 1 to as many as there may be: only their order counts. The limit
  of numbers that a node skips is no part of it (`protocol.agreement.caught_up`).

A journal that was put back makes a node forget its last words. It says nothing until it has heard
all that each of the others knows. Then it has all its words again that anybody has heard; a word
that nobody has heard is as if it was never said, for each word forbids others and allows none. So
it is a node that takes no step for a while (without that wait: `Rules.forgets`).

    python -m tests.simulation.exploration --players 3 --continuations 3
    python -m tests.simulation.exploration --players 3 --continuations 2 --cheats 1 --beyond
    python -m tests.simulation.exploration --players 5 --continuations 5 --cheats 1 3 --walks 10000
"""

import argparse
import random
import time
from collections.abc import Iterator
from itertools import combinations

from attrs import define, field

from protocol.agreement import Branch, Offer
from protocol.continues import Continues
from protocol.entries import Body, CloseContent, OpenContent
from protocol.place import Place
from tests.simulation.abstract_match import AbstractMatch, Table
from tests.simulation.explored import (
    Known,
    Rules,
    State,
    View,
    Violation,
    continues_of,
    packed,
    replaced,
    with_view,
)

_OPEN = OpenContent((), ())


@define(eq=False)
class Exploration:
    """`cheats` are founders who do anything. Raises Violation."""

    players: int = 3
    continuations: int = 2
    cheats: frozenset[int] = frozenset()
    void: bool = False
    same_points: bool = False
    beyond: bool = False
    rules: Rules = field(factory=Rules)
    match: AbstractMatch = field(init=False)
    states: int = field(default=0, init=False)
    exposed: int = field(default=0, init=False)
    _majorities: tuple[int, ...] = field(init=False)
    _pairs: dict[tuple[int, int, int, int], str | None] = field(factory=dict, init=False)
    _asked: dict[tuple[object, ...], bool] = field(factory=dict, init=False)
    _may_sign: dict[tuple[object, ...], tuple[int, ...]] = field(factory=dict, init=False)
    _goes_on: dict[tuple[object, ...], bool] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        self.match = AbstractMatch(self.players, self.void, self.same_points)
        least = self.rules.founders_needed(self.players)
        everybody = range(1 << self.players)
        self._majorities = tuple(bits for bits in everybody if bits.bit_count() >= least)

    # -- going through the states

    @property
    def start(self) -> State:
        """The cards are dealt at the first table."""
        root = self.match.table(None, 0, 0, (1 << self.players) - 1)
        return ((root.uid, 0, root.signers),), ((root.uid, 0),) * self.players

    def run(self, most: int | None = None) -> bool:
        """Go through all states, or so many; return true if it was all."""
        start = self.start
        seen = {packed(start)}
        waiting: list[tuple[State, Iterator[State]]] = [(start, self.after(start))]
        self.states = 1
        try:
            while waiting:
                state = next(waiting[-1][1], None)
                if state is None:
                    waiting.pop()
                    continue
                number = packed(state)
                if number in seen:
                    continue
                seen.add(number)
                self.states += 1
                if self.states == most:
                    return False
                waiting.append((state, self.after(state)))
        except Violation as violation:
            violation.steps = [state for state, _ in waiting]
            raise
        return True

    def walk(self, rng: random.Random) -> None:
        """Take steps by lot, until there are none."""
        state: State | None = self.start
        while state is not None:
            self.states += 1
            nexts = list(self.after(state))
            state = rng.choice(nexts) if nexts else None

    def after(self, state: State) -> Iterator[State]:
        """Return the states after one more step. Checks P3 in this one, all others in the next."""
        self._check_can_go_on(state)
        for player in range(self.players):
            if player in self.cheats:
                yield from self._cheated(state, player)
            else:
                yield from self._written(state, player)
                yield from self._signed(state, player)

    # -- honest players

    def _written(self, state: State, player: int) -> Iterator[State]:
        tables, views = state
        mine, _, highest = self._memory(state, player)
        rank = self.match.by_uid[mine].rank
        for known in tables:
            if not self._is_turn(known, player):
                continue
            uid, height, by = known
            view = (uid, height) if self.match.by_uid[uid].rank >= rank else views[player]
            if self._may_write(player, view, self._older(tables, view[0]), highest, uid):
                after = replaced(tables, (uid, height + 1, by))
                view = (uid, height + 1) if view[0] == uid else view
                yield self._judged(after, with_view(views, player, view), player, uid)

    def _signed(self, state: State, player: int) -> Iterator[State]:
        tables, _ = state
        mine, least, highest = self._memory(state, player)
        rank = self.match.by_uid[mine].rank
        for uid, longest, by in tables:
            newest = self.match.by_uid[uid]
            if by == newest.signers and newest.rank >= rank:
                older = self._older(tables, uid)
                for height in range(least if uid == mine else 0, longest + 1):
                    for made in self._offers(player, (uid, height), older, highest):
                        yield from self._signature(state, player, made, (uid, height))

    def _signature(self, state: State, player: int, made: int, view: View) -> Iterator[State]:
        tables, views = state
        for uid, height, by in tables:
            if uid == made:
                if by >> player & 1:
                    return
                after = replaced(tables, (uid, height, by | 1 << player))
                break
        else:
            if len(tables) > self.continuations:
                return
            after = tuple(sorted((*tables, (made, 0, 1 << player))))
        yield self._judged(after, with_view(views, player, view), player, made)

    # -- cheats

    def _cheated(self, state: State, player: int) -> Iterator[State]:
        tables, views = state
        for known in tables:
            table = self.match.by_uid[known[0]]
            bit = 1 << player
            honest = table.signers & ~sum(1 << cheat for cheat in self.cheats)
            after: tuple[Known, ...] | None = None
            if self._is_turn(known, player):
                after = replaced(tables, (known[0], known[1] + 1, known[2]))
            elif table.signers & bit and not known[2] & bit and known[2] & honest == honest:
                after = replaced(tables, (known[0], known[1], known[2] | bit))
            if after is not None and (self.beyond or not self._exposed(after, player)):
                yield self._judged(after, views, player, known[0])
        if len(tables) <= self.continuations:
            yield from self._own_tables(state, player)

    def _own_tables(self, state: State, player: int) -> Iterator[State]:
        """Yield the states with a continuation that cheats alone sign."""
        tables, views = state
        cheats = sum(1 << cheat for cheat in self.cheats)
        for known in tables:
            parent = self.match.by_uid[known[0]]
            for signers in self._majorities:
                if signers & ~cheats or not signers >> player & 1 or known[2] != parent.signers:
                    continue
                for height in range(known[1] + 1):
                    for number in range(parent.attempt + 1, self.continuations + 1):
                        made = self.match.table(parent, height, number, signers)
                        if all(each[0] != made.uid for each in tables):
                            after = tuple(sorted((*tables, (made.uid, 0, 1 << player))))
                            yield self._judged(after, views, player, made.uid)

    # -- what the rules are asked; each question once

    def _is_turn(self, known: Known, player: int) -> bool:
        table = self.match.by_uid[known[0]]
        signed = known[2] == table.signers
        return signed and known[1] < table.end and table.writers[known[1]][1] == player

    def _highest(self, tables: tuple[Known, ...], player: int) -> int:
        """Return the highest attempt that the player has signed."""
        by_uid, bit = self.match.by_uid, 1 << player
        return max([by_uid[uid].attempt for uid, _, by in tables if by & bit])

    def _memory(self, state: State, player: int) -> tuple[int, int, int]:
        """Return the newest table that a node knows, its height, and the highest attempt signed."""
        if self.rules.forgets:
            return state[0][0][0], 0, 0
        return *state[1][player], self._highest(state[0], player)

    def _older(self, tables: tuple[Known, ...], newest: int) -> tuple[View, ...]:
        """Return the tables that are older than that one, with their whole records."""
        by_uid = self.match.by_uid
        rank = by_uid[newest].rank
        return tuple(
            [
                (uid, height)
                for uid, height, by in tables
                if by == by_uid[uid].signers and by_uid[uid].rank < rank
            ]
        )

    def _branches(self, player: int, view: View, older: tuple[View, ...]) -> tuple[Branch, ...]:
        """Return the tables as that player's node knows them."""
        branches = []
        for uid, height in (view, *older):
            table = self.match.by_uid[uid]
            wrote, closed = table.last_of(player, height), table.close_of(player, height)
            branches.append(Branch(table.attempt, table.place(height), wrote, closed))
        return tuple(branches)

    def _may_write(
        self, player: int, view: View, older: tuple[View, ...], highest: int, uid: int
    ) -> bool:
        key = (player, view, older, highest, uid)
        if key not in self._asked:
            branches = self._branches(player, view, older)
            table_id = self.match.by_uid[uid].table_id
            self._asked[key] = self.rules.may_write(branches, highest, table_id)
        return self._asked[key]

    def _offers(
        self, player: int, view: View, older: tuple[View, ...], highest: int
    ) -> tuple[int, ...]:
        """Yield the uids of the continuations that a node may sign."""
        key = (player, view, older, highest)
        if key not in self._may_sign:
            made = []
            branches = self._branches(player, view, older)
            places = (view, *older) if self.rules.wide else (view,)
            for uid, end in places:
                parent = self.match.by_uid[uid]
                for height in range(0 if self.rules.wide else end, end + 1):
                    for number in range(parent.attempt + 1, self.continuations + 1):
                        offer = Offer(parent.place(height), number)
                        if self.rules.may_sign(branches, highest, offer):
                            made += [
                                self.match.table(parent, height, number, signers).uid
                                for signers in self._majorities
                                if signers >> player & 1
                            ]
            self._may_sign[key] = tuple(made)
        return self._may_sign[key]

    def _can_go_on(
        self, player: int, view: View, older: tuple[View, ...], highest: int, number: int
    ) -> bool:
        """Return True if a node signs a continuation with that number, and plays on there."""
        key = (player, view, older, highest, number)
        if key not in self._goes_on:
            branches = self._branches(player, view, older)
            made = Branch(number, Place(b"new", 0, b"new"))
            offers = [Offer(branch.end, number) for branch in branches]
            self._goes_on[key] = any(
                self.rules.may_sign(branches, highest, offer) for offer in offers
            ) and self.rules.may_write((*branches, made), number, made.table_id)
        return self._goes_on[key]

    # -- what must hold

    def _judged(
        self, tables: tuple[Known, ...], views: tuple[View, ...], player: int, uid: int
    ) -> State:
        """Return the state after a step of that player at that table. Raises Violation."""
        if player not in self.cheats and (cause := self._exposed(tables, player)):
            raise Violation(f"P1: an honest player is exposed, {cause}")
        if self.beyond and any(self._exposed(tables, cheat) for cheat in self.cheats):
            self.exposed += 1
            return tables, views
        by_uid = self.match.by_uid
        concluded = [(by_uid[u], height) for u, height, by in tables if by == by_uid[u].signers]
        changed = by_uid[uid]
        for table, height in concluded:
            if height == table.end:
                for other, reached in concluded:
                    if table is changed or other is changed:
                        self._check_stays(table, other, reached)
            above = height > changed.height and table is changed.parent
            if above and any(each is changed for each, _ in concluded):
                self._check_left(table, changed.height, height)
            if table.parent is changed:
                reached = next(reached for each, reached in concluded if each is changed)
                self._check_left(changed, table.height, reached)
        return tables, views

    def _check_stays(self, closed: Table, table: Table, height: int) -> None:
        """Check P2 and P4 for a round that all have closed, and another table."""
        if table.attempt < closed.attempt or table is closed:
            return
        if closed.points not in table.before[closed.round_number - 1 : closed.round_number]:
            raise Violation("P2: a round that all have closed is lost")
        results = closed.results(closed.end)
        if height == table.end and table.before[: len(results)] != results:
            raise Violation("P4: two branches have both closed a round")

    def _check_left(self, table: Table, left: int, height: int) -> None:
        """Check P5 for a table that some have left, and that has gone on."""
        wrote = {player for _, player in table.writers[left:height]}
        if wrote.issuperset(table.seats):
            raise Violation("P5: a table is played on by all, though some have left it")

    def _exposed(self, tables: tuple[Known, ...], player: int) -> str | None:
        """Return the cause for which a founder is exposed."""
        signed = [uid for uid, _, by in tables if by >> player & 1 and uid]
        for one, other in combinations(signed, 2):
            if self.rules.two_expose(self._continues(one), self._continues(other)):
                return "C3"
        for uid, height, by in tables:
            if self.match.by_uid[uid].signers == by:
                for statement in signed:
                    if cause := self._pair(statement, uid, height, player):
                        return cause
        return None

    def _continues(self, uid: int) -> Continues:
        return continues_of(self.match.by_uid[uid])

    def _pair(self, statement: int, uid: int, height: int, player: int) -> str | None:
        """Return the cause for which a statement and the player's entries at a table expose."""
        key = (statement, uid, height, player)
        if key not in self._pairs:
            table = self.match.by_uid[uid]
            bodies = []
            if last := table.last_of(player, height):
                bodies.append(Body(table.place(last), player, _OPEN))
            if close := table.close_of(player, height):
                points: tuple[int, ...] = table.points  # type: ignore[assignment]
                content = CloseContent(table.round_number, points, False)
                bodies.append(Body(table.place(close), player, content))
            continues = self._continues(statement)
            causes = [self.rules.entry_exposes(continues, b, table.attempt) for b in bodies]
            self._pairs[key] = next(filter(None, causes), None)
        return self._pairs[key]

    def _check_can_go_on(self, state: State) -> None:
        """Check P3: any honest majority of the founders can go on.

        They tell each other all that they have, or may have heard besides.
        """
        tables, views = state
        honest = [p for p in range(self.players) if p not in self.cheats]
        for size in range(self.players // 2 + 1, len(honest) + 1):
            for group in combinations(honest, size):
                ranks = [self.match.by_uid[views[p][0]].rank for p in group]
                for uid, height, by in tables:
                    table = self.match.by_uid[uid]
                    if by != table.signers or table.rank < max(ranks):
                        continue
                    least = max((views[p][1] for p in group if views[p][0] == uid), default=0)
                    for reached in range(least, height + 1):
                        self._check_group(tables, group, (uid, reached))

    def _check_group(self, tables: tuple[Known, ...], group: tuple[int, ...], view: View) -> None:
        older = self._older(tables, view[0])
        highest = [self._highest(tables, player) for player in group]
        number = max(*highest, self.match.by_uid[view[0]].attempt) + 1
        for player, signed in zip(group, highest, strict=True):
            if not self._can_go_on(player, view, older, signed, number):
                raise Violation("P3: honest players cannot go on")


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=3)
    parser.add_argument("--continuations", type=int, default=2)
    parser.add_argument("--cheats", type=int, nargs="*", default=[])
    parser.add_argument("--void", action="store_true")
    parser.add_argument("--same-points", action="store_true")
    parser.add_argument("--beyond", action="store_true")
    parser.add_argument("--most", type=int)
    parser.add_argument("--walks", type=int)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    exploration = Exploration(
        given.players,
        given.continuations,
        frozenset(given.cheats),
        given.void,
        given.same_points,
        given.beyond,
    )
    began = time.process_time()
    if given.walks:
        rng = random.Random(given.seed)
        for _ in range(given.walks):
            exploration.walk(rng)
        whole = f"{given.walks:,} walks"
    else:
        whole = "all" if exploration.run(given.most) else "not all"
    seconds = time.process_time() - began
    print(
        f"{exploration.states:,} states, {whole}, {exploration.exposed:,} steps with somebody "
        f"exposed; {seconds:.0f} s of processor time"
    )


if __name__ == "__main__":
    main()
