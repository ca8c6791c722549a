"""Exploration of all states that can arise while founders sign continuations of their match.

It covers every order of messages, lost messages, several proposals at once, deaths, restored
journals, and cheats. The match is a small one (`tests.simulation.explored_match`), with real
charters, entries and states. The real machines decide if a founder writes or signs
(`tests.simulation.asked_founders`): `protocol.table.machine`, and `protocol.match.machine` with the
modules that it uses. The exploration checks these properties of `spec/record.md`, 6:

- P1: no honest key is exposed by C1, C2 or C3.
- P2: a round that all have closed is counted in every table with a higher attempt.
- P3: if more than half of the founders are present and honest, and do not doubt their journals,
  they can all sign a continuation with which each of them may play on. When their nodes talk, they
  agree on such a continuation (`tests.simulation.talk`).
- P4: of two tables at which all have closed a round, the newer one has all results of the older.
- P5: once some players have left a table for a continuation, at least one player writes nothing at
  the old table any more.

P2, P4 and P5 hold unless a founder is exposed. These reductions keep the states few:

- A node may have died before any step. So the exploration always asks a node that has just started
  from its journal and has heard the others: may it write, and may it sign? Messages that members
  send before they sign bind nobody and are not part of a state: a continuation counts as agreed on
  if a node would sign it. Only P3 explores how nodes agree.
- Nobody receives anything before they need it. All entries and signatures lie on one heap. From it
  a node takes those that its next step needs, and everything that comes before these in a record.
  So messages can be late, lost, repeated and in any order, and a dead node is a node that takes no
  step. A node that knows more can only take steps that need this knowledge.
- Of each node's record, a state keeps only the newest table that the node knows, and the number of
  steps there. The node's own entries and signatures are on the heap, since only it can make them.
- A cheat knows everything, and sends only things that others can use: entries in turn, and
  signatures for continuations that all honest signers have signed. Sending them earlier would
  give the others no additional steps. Steps that expose a cheat are explored only with `beyond`.
  After such a step only P1 and P3 are checked, since P2, P4 and P5 need not hold any more.
- Proofs, the end of a match, and entries of members who are no founders are left out: such entries
  come together with the entry before them. A round has few entries: a shuffle, an opening and a
  closing by each player, and one move.
- The attempts of continuations are 1 to `continuations`, as only their order counts. The limit on
  skipped attempts is left out.

A node whose journal is restored from an older copy forgets its last entries and signatures. Here it
forgets all of them. Until the node has heard all others, it must write and sign nothing. After that
it again knows all its entries and signatures that anybody has received. Those that nobody has
received count as never written: they could only forbid the node more steps.

    python -m tests.simulation.exploration --players 3 --continuations 2 --cheats 1
    python -m tests.simulation.exploration --players 4 --continuations 2 --checked "P1 P2 P4 P5"
    python -m tests.simulation.exploration --players 4 --continuations 1 --talks
    python -m tests.simulation.exploration --players 3 --continuations 2 --cheats 1 --beyond
"""

import argparse
import time
from collections.abc import Iterator
from functools import cache
from itertools import combinations

from attrs import define, field

from protocol import evidence
from protocol.entries import Body, Entry
from tests.simulation.asked_founders import Founders
from tests.simulation.explored_match import ExploredMatch, Table
from tests.simulation.founders import View, remembered
from tests.simulation.small_game import ONE_CARD, registered

Known = tuple[int, int, int]
"""A table on the heap: its uid, the steps of its record, and its signers so far."""

State = tuple[tuple[Known, ...], tuple[View, ...]]
"""The heap, ordered by uid, and the view of each player."""


class Violation(AssertionError):
    """An error: a property does not hold after `steps`."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.steps: list[State] = []


def replaced(tables: tuple[Known, ...], known: Known) -> tuple[Known, ...]:
    """Return the heap, in which `known` replaces the older form of the same table."""
    return tuple(known if each[0] == known[0] else each for each in tables)


def with_view(views: tuple[View, ...], player: int, view: View) -> tuple[View, ...]:
    """Return the views of all players, with one player's view replaced."""
    return (*views[:player], view, *views[player + 1 :])


def packed(state: State) -> int:
    """Return the state as one number, to save memory in the large set of seen states."""
    number = len(state[0])
    for uid, height, by in state[0]:
        number = number << 36 | uid << 12 | height << 6 | by
    for uid, height in state[1]:
        number = number << 30 | uid << 6 | height
    return number


@define(eq=False)
class Exploration:
    """An exploration, in which the founders in `cheats` may do anything. Raises Violation.

    With `wide`, nodes are offered continuations of any place in any table, not only of the end of
    the newest table that they know. At least `least` founders sign each continuation. `checked`
    names the properties to check. The nodes talk (for P3) only if `talks`.
    """

    players: int = 3
    continuations: int = 2
    cheats: frozenset[int] = frozenset()
    void: bool = False
    beyond: bool = False
    wide: bool = False
    least: int = 0
    checked: str = "P1 P2 P3 P4 P5"
    talks: bool = False
    match: ExploredMatch = field(init=False)
    states: int = field(default=0, init=False)
    exposed: int = field(default=0, init=False)
    _majorities: tuple[int, ...] = field(init=False)
    _founders: Founders = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.match = ExploredMatch(self.players, self.void)
        least = self.least or self.players // 2 + 1
        everybody = range(1 << self.players)
        self._majorities = tuple(bits for bits in everybody if bits.bit_count() >= least)
        self._founders = Founders(
            self.match, self.continuations, self._majorities, self.wide, self.talks
        )

    # -- going through the states

    @property
    def start(self) -> State:
        """The first state: the cards have been dealt at the first table."""
        root = self.match.table(None, 0, 0, (1 << self.players) - 1)
        return ((root.uid, 0, root.signers),), ((root.uid, 0),) * self.players

    def run(self, most: int | None = None) -> bool:
        """Visit at most `most` states (None: all); return True if all states were visited."""
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

    def after(self, state: State) -> Iterator[State]:
        """Yield the states after one more step.

        Checks P3 in `state`, and the other properties in the states that follow. Raises Violation.
        """
        if "P3" in self.checked:
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
        for doubts, (mine, _, signed) in self._memories(state, player):
            rank = self.match.by_uid[mine].rank
            for uid, height, by in tables:
                table = self.match.by_uid[uid]
                if not self._is_turn((uid, height, by), player):
                    continue
                view = (uid, height) if table.rank >= rank else views[player]
                older = self._older(tables, view[0])
                if self._founders.write(player, (*older, view), signed, uid, doubts=doubts):
                    after = replaced(tables, (uid, height + 1, by))
                    view = (uid, height + 1) if view[0] == uid else view
                    yield self._judged(after, with_view(views, player, view), player, uid)

    def _signed(self, state: State, player: int) -> Iterator[State]:
        tables, _ = state
        for doubts, (mine, least, signed) in self._memories(state, player):
            rank = self.match.by_uid[mine].rank
            for uid, longest, by in tables:
                newest = self.match.by_uid[uid]
                if by == newest.signers and newest.rank >= rank:
                    older = self._older(tables, uid)
                    for height in range(least if uid == mine else 0, longest + 1):
                        known = (*older, (uid, height))
                        for made in self._founders.offers(player, known, signed, doubts=doubts):
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
        """Yield the states with another continuation, which only cheats sign."""
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

    # -- questions to nodes

    def _is_turn(self, known: Known, player: int) -> bool:
        table = self.match.by_uid[known[0]]
        return known[2] == table.signers and table.writer(known[1]) == player

    def _signed_by_now(self, tables: tuple[Known, ...], player: int) -> int:
        """Return the uid of the table with the highest attempt that the player has signed, or 0."""
        by_uid, bit = self.match.by_uid, 1 << player
        signed = (uid for uid, _, by in tables if by & bit)
        return max(signed, key=lambda uid: by_uid[uid].attempt, default=0)

    def _memories(self, state: State, player: int) -> Iterator[tuple[bool, tuple[int, int, int]]]:
        """Yield the possible memories of a node, as pairs (is the journal an old copy?, memory).

        A memory is the newest table that the node knows, the steps there, and the table with the
        highest attempt that it has signed.
        """
        yield False, (*state[1][player], self._signed_by_now(state[0], player))
        yield True, (state[0][0][0], 0, 0)

    def _older(self, tables: tuple[Known, ...], newest: int) -> tuple[View, ...]:
        """Return the views of whole records of all tables that are older than table `newest`."""
        by_uid = self.match.by_uid
        rank = by_uid[newest].rank
        return tuple(
            [
                (uid, height)
                for uid, height, by in tables
                if by == by_uid[uid].signers and by_uid[uid].rank < rank
            ]
        )

    # -- properties

    def _holds_not(self, text: str) -> None:
        if text[:2] in self.checked:
            raise Violation(text)

    def _judged(
        self, tables: tuple[Known, ...], views: tuple[View, ...], player: int, uid: int
    ) -> State:
        """Return the state after a player's step at a table. Raises Violation."""
        if player not in self.cheats and (cause := self._exposed(tables, player)):
            self._holds_not(f"P1: an honest player is exposed, {cause}")
        if self.beyond and any(self._exposed(tables, cheat) for cheat in self.cheats):
            self.exposed += 1
            return tables, views
        by_uid = self.match.by_uid
        concluded = [(by_uid[u], height) for u, height, by in tables if by == by_uid[u].signers]
        changed = by_uid[uid]
        for table, height in concluded:
            if table.is_closed(height):
                for other, reached in concluded:
                    if table is changed or other is changed:
                        self._check_stays(table, height, other, reached)
            above = height > changed.height and table is changed.parent
            if above and any(each is changed for each, _ in concluded):
                self._check_left(table, changed.height, height)
            if table.parent is changed:
                reached = next(reached for each, reached in concluded if each is changed)
                self._check_left(changed, table.height, reached)
        return tables, views

    def _check_stays(self, closed: Table, end: int, table: Table, height: int) -> None:
        """All have closed a round at `closed`: check P2 and P4 for another table."""
        if table.attempt < closed.attempt or table is closed:
            return
        results = closed.at(end).state.results
        number = len(results)
        if table.results[number - 1 : number] != results[-1:]:
            self._holds_not("P2: a round that all have closed is lost")
        if table.is_closed(height) and table.results[:number] != results:
            self._holds_not("P4: two branches have both closed a round")

    def _check_left(self, table: Table, left: int, height: int) -> None:
        """Check P5 for a table that some players left after `left` steps."""
        if table.wrote_since(left, height).issuperset(table.seats):
            self._holds_not("P5: all play on at a table that some have left")

    def _exposed(self, tables: tuple[Known, ...], player: int) -> str | None:
        """Return the clause by which a founder is exposed, or None."""
        signed = [uid for uid, _, by in tables if by >> player & 1 and uid]
        for one, other in combinations(signed, 2):
            by_uid = self.match.by_uid
            if evidence.same_number(by_uid[one].continues, by_uid[other].continues):
                return "C3"
        for uid, height, by in tables:
            if self.match.by_uid[uid].signers == by:
                for statement in signed:
                    if cause := self._pair(statement, uid, height, player):
                        return cause
        return None

    @cache  # noqa: B019 - the cache keeps each exploration alive, but there are few
    def _pair(self, statement: int, uid: int, height: int, player: int) -> str | None:
        """Return the clause by which a player's statement and entries expose them, or None."""
        table, continues = self.match.by_uid[uid], self.match.by_uid[statement].continues
        found = (
            evidence.contradiction(continues, (), _body(entry), table.attempt)
            for entry in table.telling(player, height)
        )
        return next((cause for cause, _ in filter(None, found)), None)

    def _check_can_go_on(self, state: State) -> None:
        """Check P3: every honest majority of the founders can go on.

        Its members tell each other everything that they know. They may also have received more from
        the heap, so P3 is checked for each table and number of steps that they may know.
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
        known = (*self._older(tables, view[0]), view)
        signed = tuple(self._signed_by_now(tables, player) for player in group)
        if not self._can_go_on(group, known, signed):
            self._holds_not("P3: honest players cannot go on")

    @cache  # noqa: B019
    def _can_go_on(
        self, group: tuple[int, ...], known: tuple[View, ...], signed: tuple[int, ...]
    ) -> bool:
        """Return True if these founders can go on from the last place that they know."""
        *_, (uid, height) = known
        attempts = (self.match.by_uid[one].attempt for one in (*signed, uid))
        signers = sum(1 << player for player in group)
        made = self.match.table(self.match.by_uid[uid], height, max(attempts) + 1, signers)
        return all(
            self._founders.can_go_on(player, known, one, made)
            for player, one in zip(group, signed, strict=True)
        ) and self._founders.come_to_one(group, (uid, height), signed)


@cache
def _body(entry: bytes) -> Body:
    return Body.decode(Entry.decode(entry).body, ONE_CARD.deck)


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=3)
    parser.add_argument("--continuations", type=int, default=2)
    for name in ("--void", "--beyond", "--talks"):
        parser.add_argument(name, action="store_true")
    parser.add_argument("--cheats", type=int, nargs="*", default=[])
    parser.add_argument("--checked", default="P1 P2 P3 P4 P5")
    given = vars(parser.parse_args())
    exploration = Exploration(cheats=frozenset(given.pop("cheats")), **given)
    began = time.process_time()
    with registered(), remembered():
        exploration.run()
    print(
        f"{exploration.states:,} states, {exploration.exposed:,} steps with somebody exposed; "
        f"{time.process_time() - began:.0f} s of processor time"
    )


if __name__ == "__main__":
    main()
