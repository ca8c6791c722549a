"""All that can happen at the last places of a match when somebody may be called absent: every order
of messages, lost and repeated ones, every time to vote, and each subset of players who cheat.

Whatever somebody has said can reach anybody at any later time, or never. Who cheats says anything
that their key can sign there: votes, refusals, entries with releases and without, and joint entries
made of what others have said. What one node does depends on what it has heard alone, so its steps
are worked out once, with the real code; the places of all nodes, and sets of messages, are numbers.

Three reductions keep it small. A node that stops, because somebody is exposed or it is dismissed,
is followed no further where somebody cheats: the others go on as if it said nothing any more, which
is explored anyway. What others have said in a place that a node has passed, and in which it has
said what it ever will, or was the one who was due, makes no difference but to stop it: it is
forgotten. And what a node passes on has been said before; only its own words are new.

    python -m tests.simulation.exploration --players 3
    python -m tests.simulation.exploration --players 4 --signed 1 --cheats 1
"""

import argparse
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from itertools import chain, combinations

import pytest
from attrs import define, evolve, field, frozen

from protocol.absence import absence
from protocol.ballot import Act, Ballot, step_of
from protocol.codec import decode
from protocol.entries import VOTE_LIMIT, AbsentContent, Body, Entry, is_joint
from protocol.errors import Exposed, Refused, Unattributable
from protocol.player import Player
from protocol.reducer import advance
from protocol.signing import is_signed
from protocol.state import State
from tests.protocol.ring import Ring
from tests.simulation.pure_node import PureNode, Said
from tests.simulation.tables import without_proofs

WRITE, VOTE = -1, -2
"""What a node does by itself; all other events are the numbers of messages."""


@cache
def closing(players: int, signed: int = 0) -> Ring:
    """The last round is counted, so many have signed it and the others are to; not to be played
    on.
    """
    ring = Ring.sit("canasta", players, seed=3, rounds=1)
    ring.play_until("close")
    for _ in range(signed):
        ring.step()
    return ring


@frozen(eq=False)
class Local:
    """One node after some steps. `said` is all that it has told, `heads` the states in which it has
    been; both are sets of numbers, as bits.
    """

    node: PureNode = field(repr=False)
    said: int
    heads: int


@define
class Exploration:
    """`cheats` are players who do anything; the others are honest. It begins when so many have
    `signed` the round, and votes are given in the first `places` places. Raises AssertionError
    with what is wrong.
    """

    players: int
    cheats: frozenset[int] = frozenset()
    places: int = 1
    signed: int = 0
    _messages: dict[Said, int] = field(factory=dict, init=False)
    _said: list[Said] = field(factory=list, init=False)
    _acts_said: int = field(default=0, init=False)
    _heads: dict[bytes, int] = field(factory=dict, init=False)
    _numbers: dict[tuple[object, ...], int] = field(factory=dict, init=False)
    _locals: list[Local] = field(factory=list, init=False)
    _tried: list[int] = field(factory=list, init=False)
    _steps: list[dict[int, int]] = field(factory=list, init=False)
    _moved_by: list[int] = field(factory=list, init=False)
    _found: dict[tuple[int, int], tuple[int, ...]] = field(factory=dict, init=False)
    _forged: dict[tuple[int, int], int] = field(factory=dict, init=False)
    _judged: set[tuple[int, int]] = field(factory=set, init=False)
    states: int = field(default=0, init=False)
    finals: int = field(default=0, init=False)
    rivals: int = field(default=0, init=False)
    exposures: int = field(default=0, init=False)

    @property
    def honest(self) -> tuple[int, ...]:
        return tuple(p for p in range(self.players) if p not in self.cheats)

    def run(self, most: int | None = None) -> None:
        """Go through all that can happen, or through so many states of it."""
        ring = closing(self.players, self.signed)
        entropy = Ring.sit(players=2).rng.randbytes
        start = tuple(
            self._number(PureNode(ring.state, player, ring.signers[player], entropy), 0)
            for player in self.honest
        )
        seen, waiting = {start}, deque([start])
        while waiting and (most is None or len(seen) < most):
            state = waiting.popleft()
            new = set(self._after(state)) - seen
            seen |= new
            waiting.extend(new)
        self.states = len(seen)

    def _after(self, state: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        """The states after one more event."""
        self._check_finals(state)
        board = heads = 0
        for number in state:
            board |= self._locals[number].said
            heads |= self._locals[number].heads
        if self.cheats:
            board |= self._forgeries(heads, board)
        rests = True
        for place, number in enumerate(state):
            for after in self._nexts(number, board):
                rests = False
                yield (*state[:place], after, *state[place + 1 :])
        if rests and not self.cheats:
            over = all(self._locals[number].node.over for number in state)
            assert over, "the match rests, though all are honest"

    def _number(self, node: PureNode, said: int) -> int:
        """That of the node with what it has said; nodes that do the same from now on have one."""
        _forget_settled(node)
        acts = frozenset(act for ballot in node.ballots.values() for act in ballot)
        released = frozenset(node.released.items())
        key = (node.me, node.state.head, acts, released, node.held, node.stopped, said)
        if key not in self._numbers:
            heads = 0
            for head, state in _states(node):
                _STATES[head] = state
                heads |= 1 << self._heads.setdefault(head, len(self._heads))
            self._numbers[key] = len(self._locals)
            self._locals.append(Local(node, said, heads))
            self._tried.append(0)
            self._moved_by.append(0)
            self._steps.append({})
            self._own_steps(self._numbers[key])
        return self._numbers[key]

    # -- steps of one node

    def _own_steps(self, number: int) -> None:
        node = self._locals[number].node.clone()
        if not node.stopped:
            self._note(number, WRITE, node, node.write())
        node, due = self._locals[number].node.clone(), node.state.due
        may_vote = node.height < node.start.height + self.places
        if not node.over and may_vote and due is not None and due.player != node.me:
            try:
                said = node.vote(AbsentContent((due.player,)))
            except Refused:
                return
            self._note(number, VOTE, node, said)

    def _nexts(self, number: int, board: int) -> tuple[int, ...]:
        """What that node can be after one more event."""
        self._try(number, board)
        moved_by = board & self._moved_by[number]
        if (number, moved_by) not in self._found:
            steps = self._steps[number]
            events = chain((event for event in steps if event < 0), _numbers_in(moved_by))
            afters = dict.fromkeys(steps[event] for event in events)
            self._found[number, moved_by] = tuple(afters)
        return self._found[number, moved_by]

    def _try(self, number: int, board: int) -> None:
        """Work out what each message on the board does to that node, if it was not before."""
        untried = board & ~self._tried[number]
        self._tried[number] |= untried
        for event in _numbers_in(untried):
            node = self._locals[number].node.clone()
            self._note(number, event, node, node.hear(self._said[event]))

    def _note(self, number: int, event: int, node: PureNode, told: list[Said]) -> None:
        """That event leads from one node to that other one."""
        if node.exposed is not None:
            self.exposures += 1
            assert node.exposed.player in self.cheats, (
                f"an honest player is exposed: {node.exposed}"
            )
        if node.stopped and self.cheats:
            return
        said = self._locals[number].said
        for one in told:
            if self._is_own(node, event, one):
                said |= self._bit(one)
        after = self._number(node, said)
        if after != number:
            self._steps[number][event] = after
            if event >= 0:
                self._moved_by[number] |= 1 << event

    def _is_own(self, node: PureNode, event: int, told: Said) -> bool:
        """Whether nobody else has said that before: it is not passed on."""
        if told.act is not None:
            if told.act.key != node.key:
                return False
            assert len(node.ballot(told.height).acts_of(node.key)) == 1, (
                "an honest player says two acts"
            )
            return True
        return event == WRITE or (is_joint(told.entry) and event != self._messages.get(told))

    def _bit(self, message: Said) -> int:
        """The set with that message alone."""
        if message not in self._messages:
            self._messages[message] = len(self._said)
            self._said.append(message)
            if message.act is not None:
                self._acts_said |= 1 << self._messages[message]
        return 1 << self._messages[message]

    # -- those who cheat

    def _forgeries(self, heads: int, told: int) -> int:
        """What those who cheat can say."""
        told &= self._acts_said
        if (heads, told) not in self._forged:
            acts = frozenset(self._said[number] for number in _numbers_in(told))
            forged = 0
            for one in self._all_forgeries(heads, acts):
                forged |= self._bit(one)
            self._forged[heads, told] = forged
        return self._forged[heads, told]

    def _all_forgeries(self, heads: int, told: frozenset[Said]) -> Iterator[Said]:
        for head, bit in self._heads.items():
            state = _STATES[head]
            if heads >> bit & 1 and state.due is not None:
                height = state.height + 1
                here = frozenset(one for one in told if one.height == height)
                refusals = frozenset(
                    one.act for one in told if one.act is not None and _is_refusal(one.act)
                )
                yield from _forged(self.players, self.cheats, head, here, refusals)

    # -- what must hold

    def _check_finals(self, state: tuple[int, ...]) -> None:
        complete = [number for number in state if self._locals[number].node.state.complete]
        for pair in combinations(complete, 2):
            one, other = (self._locals[number].node for number in pair)
            if one.state.head != other.state.head:
                self.finals += 1
                if pair not in self._judged:
                    self._judged.add(pair)
                    self._check_pair(one, other)

    def _check_pair(self, one: PureNode, other: PureNode) -> None:
        """Two final records show who cheats, to whoever has both; or they are of one match with the
        same points, which the last one has closed while the others agreed that they are absent.
        """
        player = _exposed_by_both(one, other)
        if player is not None:
            assert player in self.cheats
            return
        fork = one.height == other.height and one.heads[:-1] == other.heads[:-1]
        points, others = ([s.totals for s in n.state.match.sheets] for n in (one, other))
        same = points == others
        assert fork, "two final records hold"
        assert same, "two final records hold"
        assert one.state.ended != other.state.ended, "two final records hold"
        self.rivals += 1


def _forget_settled(node: PureNode) -> None:
    """What others have said in a place that the node has passed, and in which it has said what it
    ever will, or was the one who was due, so that no vote takes its signature.
    """
    for height, ballot in node.ballots.items():
        if height <= node.height:
            step = step_of(node.state.charter_at(height), Entry.decode(node.entry_at(height)))
            mine = ballot.acts_of(node.key)
            if mine or step.signers == (node.key,):
                node.ballots[height] = Ballot(ballot.charter, ballot.place, ballot.me, ballot.mine)
                for act in mine:
                    node.ballots[height].add(act)


def _exposed_by_both(one: PureNode, other: PureNode) -> int | None:
    pairs = list(zip(one.entries, other.entries, strict=False))
    fork = next(i for i, (ours, theirs) in enumerate(pairs) if ours != theirs)
    height = one.start.height + fork + 1
    for node, entry in ((one, pairs[fork][1]), (other, pairs[fork][0])):
        try:
            node.clone()._judge(height, entry)
        except Exposed as error:
            return error.player
        except Unattributable:
            pass
    return None


def _numbers_in(bits: int) -> Iterator[int]:
    """The numbers in a set of them."""
    while bits:
        lowest = bits & -bits
        bits ^= lowest
        yield lowest.bit_length() - 1


def _states(node: PureNode) -> Iterator[tuple[bytes, State]]:
    """The states in which the node is and was, by their heads."""
    state = node.start
    yield state.head, state
    for entry in node.entries:
        _STATES.setdefault(state.head, state)
        state = _advanced(state.head, entry)
        yield state.head, state


_STATES: dict[bytes, State] = {}


@cache
def _advanced(head: bytes, entry: bytes) -> State:
    return advance(_STATES[head], entry)


@cache
def _is_refusal(act: Act) -> bool:
    return len(decode(act.body, limit=VOTE_LIMIT)) == 5  # type: ignore[arg-type]


@cache
def _forged(
    players: int,
    cheats: frozenset[int],
    head: bytes,
    told: frozenset[Said],
    refusals: frozenset[Act],
) -> tuple[Said, ...]:
    """What those who cheat can say in the place after that head."""
    ring, state, forged = closing(players), _STATES[head], []
    assert state.due is not None
    height, due = state.height + 1, state.due.player
    body = absence(state, AbsentContent((due,))).encode()
    ballot = Ballot(state.charter, state.next_place, b"")
    for player in cheats:
        sign, key = ring.signers[player], state.charter.members[player].key
        forged.append(Said(height, act=Act.refusal(state.next_place, player, key, sign)))
        if player == due:
            forged += [Said(height, entry) for entry in _closings(ring, state, player, refusals)]
        else:
            ballot.add(vote := Act.vote(body, key, sign))
            forged.append(Said(height, act=vote))
    for said in told:
        if said.act is not None and said.act.body == body:
            ballot.add(said.act)
    joint = ballot.joint()
    return (*forged, *([] if joint is None else [Said(height, joint)]))


def _closings(ring: Ring, state: State, player: int, refusals: frozenset[Act]) -> Iterator[bytes]:
    """The closing of one who cheats: with each release that there could be, and without."""
    written = Player(player, ring.signers[player]).write(state, bytes)
    yield written.entry
    body = Body.decode(Entry.decode(written.entry).body, state.match.game.deck)
    for act in refusals:
        told = evolve(body, releases=(act.encode(),)).encode()
        yield Entry.sign(told, ring.signers[player]).encode()


@contextmanager
def signatures_once() -> Iterator[None]:
    """Each signature is verified once: there are few of them, and they come again and again."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("protocol.entries.is_signed", cache(is_signed))
        yield


def explored(exploration: Exploration, most: int | None = None) -> str:
    """Explore, and say in one line what there was."""
    begun = time.process_time()
    with without_proofs(), signatures_once():
        exploration.run(most)
    seconds = time.process_time() - begun
    whole = "" if most is None or exploration.states < most else ", not all"
    return (
        f"{exploration.signed} signed, cheats {sorted(exploration.cheats)}: "
        f"{exploration.states} states{whole}, "
        f"{exploration.exposures} exposing steps, {exploration.finals} pairs of final records, "
        f"{exploration.rivals} different ones with the same points; {seconds:.0f} s"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--players", type=int, default=3)
    parser.add_argument("--places", type=int, default=1, help="so many in which votes are given")
    parser.add_argument("--signed", type=int, default=0, help="so many have signed the round")
    parser.add_argument("--most", type=int, help="so many states of each at most")
    parser.add_argument("--cheats", type=int, help="so many who cheat")
    arguments = parser.parse_args()
    for number in range(arguments.players):
        if arguments.cheats in {None, number}:
            for cheats in combinations(range(arguments.players), number):
                exploration = Exploration(
                    arguments.players, frozenset(cheats), arguments.places, arguments.signed
                )
                print(explored(exploration, arguments.most), flush=True)


if __name__ == "__main__":
    main()
