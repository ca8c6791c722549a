"""All that can happen at the last places of a match when somebody may be called absent: every order
of messages, lost and repeated ones, every time to vote, and each subset of players who cheat.

Whatever somebody has said can reach anybody at any later time, or never. Who cheats says anything
that their key can sign there: votes, refusals, entries with releases and without, and joint entries
made of what others have said. What one node does depends on what it has heard alone, so its steps
are worked out once, with the real code, and the places of all nodes are combined.

    python -m tests.simulation.exploration --players 4 --places 2
"""

import argparse
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import pytest
from attrs import define, evolve, field, frozen

from protocol.absence import absence
from protocol.ballot import Act, Ballot
from protocol.codec import decode
from protocol.entries import VOTE_LIMIT, AbsentContent, Body, Entry
from protocol.errors import Exposed, Refused, Unattributable
from protocol.player import Player
from protocol.reducer import advance
from protocol.signing import is_signed
from protocol.state import State
from tests.protocol.ring import Ring
from tests.simulation.pure_node import PureNode, Said

Key = tuple[object, ...]


@cache
def closing(players: int) -> Ring:
    """The last round is counted, and everybody is to sign it; not to be played on."""
    ring = Ring.sit("canasta", players, seed=3, rounds=1)
    ring.play_until("close")
    return ring


@frozen
class Local:
    """One node after some steps; `said` is all that it has told."""

    node: PureNode = field(eq=False, repr=False)
    said: frozenset[Said]
    key: Key

    @classmethod
    def of(cls, node: PureNode, said: frozenset[Said]) -> "Local":
        acts = frozenset(act for ballot in node.ballots.values() for act in ballot)
        exposed = None if node.exposed is None else node.exposed.player
        released = frozenset(node.released.items())
        key = (node.me, node.state.head, acts, released, node.held, node.dismissed, exposed, said)
        return cls(node, said, key)


@define
class Exploration:
    """`cheats` are players who do anything; the others are honest. Votes are given in the first
    `places` places. Raises AssertionError with what is wrong.
    """

    players: int
    cheats: frozenset[int] = frozenset()
    places: int = 1
    _steps: dict[tuple[Key, object], Local | None] = field(factory=dict, init=False)
    _locals: dict[Key, Local] = field(factory=dict, init=False)
    _forged: dict[tuple[Key, ...], frozenset[Said]] = field(factory=dict, init=False)
    states: int = field(default=0, init=False)
    finals: int = field(default=0, init=False)
    exposures: int = field(default=0, init=False)

    @property
    def honest(self) -> tuple[int, ...]:
        return tuple(p for p in range(self.players) if p not in self.cheats)

    def run(self, most: int | None = None) -> None:
        """Go through all that can happen, or through so many states of it."""
        ring = closing(self.players)
        first = []
        for player in self.honest:
            entropy = Ring.sit(players=2).rng.randbytes
            signer = ring.signers[player]
            node = PureNode(ring.state, player, signer, entropy)
            local = Local.of(node, frozenset())
            first.append(self._locals.setdefault(local.key, local))
        start = tuple(local.key for local in first)
        seen, waiting = {start}, deque([start])
        while waiting and (most is None or len(seen) < most):
            state = waiting.popleft()
            after = set(self._after(state))
            self._check(state, is_end=not after - {state})
            new = after - seen
            seen |= new
            waiting.extend(new)
        self.states = len(seen)

    def _after(self, state: tuple[Key, ...]) -> Iterator[tuple[Key, ...]]:
        locals_ = [self._locals[key] for key in state]
        told = frozenset[Said]().union(*(local.said for local in locals_))
        board = told | self._forgeries(locals_, told)
        for place, local in enumerate(locals_):
            events: list[object] = ["write", "vote", *board]
            for event in events:
                after = self._step(local, event)
                if after is not None:
                    yield (*state[:place], after.key, *state[place + 1 :])

    def _step(self, local: Local, event: object) -> Local | None:
        """The node after that event, None if it changes nothing."""
        if (local.key, event) not in self._steps:
            after = self._stepped(local, event)
            changed = after is not None and after.key != local.key
            if after is not None:
                after = self._locals.setdefault(after.key, after)
            self._steps[local.key, event] = after if changed else None
        return self._steps[local.key, event]

    def _stepped(self, local: Local, event: object) -> Local | None:
        node = local.node.clone()
        if node.stopped:
            return None
        said: list[Said] = []
        if event == "write":
            said = node.write()
        elif event == "vote":
            due = node.state.due
            if (
                due is None
                or node.over
                or due.player == node.me
                or not self._votes_in(node.height + 1)
            ):
                return None
            try:
                said = node.vote(AbsentContent((due.player,)))
            except Refused:
                return None
        elif isinstance(event, Said):
            said = node.hear(event)
        if node.exposed is not None:
            self.exposures += 1
            assert node.exposed.player in self.cheats, (
                f"an honest player is exposed: {node.exposed}"
            )
        return Local.of(node, local.said | frozenset(said))

    def _votes_in(self, height: int) -> bool:
        return height <= closing(self.players).state.height + self.places

    def _forgeries(self, locals_: list[Local], told: frozenset[Said]) -> frozenset[Said]:
        """What those who cheat can say."""
        if not self.cheats:
            return frozenset()
        known = tuple(local.key for local in locals_)
        if known not in self._forged:
            self._forged[known] = frozenset(self._all_forgeries(locals_, told))
        return self._forged[known]

    def _all_forgeries(self, locals_: list[Local], told: frozenset[Said]) -> Iterator[Said]:
        for state in _states(locals_):
            height = state.height + 1
            if state.due is not None:
                here = frozenset(one for one in told if one.height == height and one.act)
                refusals = frozenset(
                    one.act for one in told if one.act is not None and _is_refusal(one.act)
                )
                yield from _forged(self.players, self.cheats, state.head, here, refusals)

    def _check(self, state: tuple[Key, ...], *, is_end: bool) -> None:
        nodes = [self._locals[key].node for key in state]
        complete = [node for node in nodes if node.state.complete]
        for node in complete:
            for other in complete:
                if node.state.head != other.state.head:
                    self.finals += 1
                    assert self._contradict(node, other), "two final records hold"
        if is_end and not self.cheats:
            assert all(node.over for node in nodes), "the match rests, though all are honest"

    def _contradict(self, node: PureNode, other: PureNode) -> bool:
        """Whether two final records show who cheats, to whoever has both."""
        pairs = list(zip(node.entries, other.entries, strict=False))
        fork = next(i for i, (one, two) in enumerate(pairs) if one != two)
        height = node.start.height + fork + 1
        for one, two in ((node, pairs[fork][1]), (other, pairs[fork][0])):
            judge = one.clone()
            player = _exposed_by(judge, height, two)
            if player is not None:
                return player in self.cheats
        return False


def _exposed_by(node: PureNode, height: int, entry: bytes) -> int | None:
    """Who is exposed by that entry in a place that the node's record has."""
    try:
        node._judge(height, entry)
    except Exposed as error:
        return error.player
    except Unattributable:
        pass
    return None


def _states(locals_: list[Local]) -> Iterator[State]:
    """The states that honest nodes are in or were."""
    seen = set()
    for local in locals_:
        state = local.node.start
        for entry in (None, *local.node.entries):
            if entry is not None:
                state = _advanced(state.head, entry)
            _STATES[state.head] = state
            if state.head not in seen:
                seen.add(state.head)
                yield state


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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=3)
    parser.add_argument("--places", type=int, default=1)
    parser.add_argument("--most", type=int, help="so many states at most")
    arguments = parser.parse_args()
    players = arguments.players
    for bits in range(2**players - 1):
        cheats = frozenset(p for p in range(players) if bits >> p & 1)
        exploration = Exploration(players, cheats, arguments.places)
        with signatures_once():
            exploration.run(arguments.most)
        print(
            f"cheats {sorted(cheats)}: {exploration.states} states, "
            f"{exploration.exposures} exposing steps, {exploration.finals} pairs of final records"
        )


if __name__ == "__main__":
    main()
