"""One simulated table: pure nodes, one heap of events, one seeded generator.

Messages are late, lost, repeated and reordered, the network comes apart, machines die at any write
and start again, some from an older copy; people vote early or late; those who cheat write two
entries in one place, do not write, vote and refuse, keep votes and complete them later, and pass
nothing on. After each event the oracles are asked. What they find is an AssertionError.
"""

import random
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from heapq import heappop, heappush
from itertools import count

from attrs import define, field

from engine.moves import Move
from protocol.absence import absence
from protocol.ballot import Act, Ballot
from protocol.entries import AbsentContent, Entry, Place, is_joint
from protocol.errors import Exposed, Refused, Unattributable
from protocol.player import Player
from protocol.reducer import advance
from protocol.state import State
from tests.simulation.pure_node import Killed, PureNode, Said
from tests.simulation.tables import Start

FAULTS_END, TABLE_ENDS = 40.0, 140.0
TICK = 1.0
CHEATING = ("equivocates", "stalls", "contradicts", "completes", "withholds")


@define
class Simulation:
    """The table of a seed; `run` raises AssertionError. `figures` count what has happened."""

    seed: int
    figures: Counter[str] = field(factory=Counter, init=False)
    rng: random.Random = field(init=False)
    start: Start = field(init=False)
    nodes: list[PureNode] = field(factory=list, init=False)
    cheats: dict[int, frozenset[str]] = field(factory=dict, init=False)
    patience: list[float] = field(factory=list, init=False)
    apart: set[frozenset[int]] = field(factory=set, init=False)
    now: float = field(default=0.0, init=False)
    last: int = field(default=0, init=False)
    _events: list[tuple[float, int, Callable[[], None]]] = field(factory=list, init=False)
    _numbers: "count[int]" = field(factory=count, init=False)
    _signed: dict[tuple[int, str, int], set[bytes]] = field(factory=dict, init=False)
    _since: dict[int, tuple[int, float]] = field(factory=dict, init=False)
    _states: dict[bytes, State] = field(factory=dict, init=False)
    _pool: dict[tuple[bytes, bytes, bytes], Act] = field(factory=dict, init=False)
    _restored: set[int] = field(factory=set, init=False)
    _heads: dict[int, dict[bytes, int]] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        self.rng = rng = random.Random(self.seed)
        self.start = Start.draw(rng)
        moment = self.start.played.moments[self.start.height]
        players = len(moment.ring.players)
        self.last = moment.state.height + rng.randrange(4, 16)
        self._states[moment.state.head] = moment.state
        number = rng.choice((0, *range(players)))
        for player in rng.sample(range(players), number):
            self.cheats[player] = frozenset(rng.sample(CHEATING, rng.randrange(1, 4)))
        for player in range(players):
            node = PureNode(
                moment.state,
                player,
                moment.ring.signers[player],
                random.Random(f"{self.seed} {player}").randbytes,
                self._choose,
                self.start.locks(player),
            )
            self.nodes.append(node)
            self.patience.append(rng.choice((4.0, 15.0, 60.0, 1000.0)))
            self._at(rng.random(), partial(self._tick, player))
        self._plan_faults()

    # -- the heap

    def _at(self, delay: float, event: Callable[[], None]) -> None:
        heappush(self._events, (self.now + delay, next(self._numbers), event))

    def run(self) -> None:
        while self._events and self.now < TABLE_ENDS:
            self.now, _, event = heappop(self._events)
            event()
        self._check_end()

    @property
    def honest(self) -> list[PureNode]:
        return [node for node in self.nodes if node.me not in self.cheats]

    # -- faults

    def _plan_faults(self) -> None:
        players = range(len(self.nodes))
        for _ in range(self.rng.randrange(3)):
            part = set(self.rng.sample(players, self.rng.randrange(1, len(players))))
            pairs = {frozenset({a, b}) for a in part for b in players if b not in part}
            begin = self.rng.uniform(0, FAULTS_END * 0.8)
            self._at(begin, partial(self.apart.update, pairs))
            self._at(self.rng.uniform(begin, FAULTS_END), self.apart.clear)
        self._at(FAULTS_END, self.apart.clear)
        for _ in range(self.rng.randrange(4)):
            who = self.rng.randrange(len(self.nodes))
            self._at(self.rng.uniform(0, FAULTS_END), partial(self._plan_death, who))

    def _plan_death(self, who: int) -> None:
        self.nodes[who].dies_after = self.rng.randrange(3)

    def _dies(self, who: int) -> None:
        """Its journal has all that was written; some start again from an older copy of it."""
        node = self.nodes[who]
        journal = node.journal
        copy = not self.cheats and bool(journal) and self.rng.random() < 0.3
        if copy:
            journal = journal[: self.rng.randrange(len(journal))]
            self._restored.add(who)
            self.figures["restored copies"] += 1
        self.figures["deaths"] += 1
        copy = copy or bool(node.doubts)
        self.nodes[who] = node.back(journal, copy=copy)
        self.nodes[who].dies_after = None

    def _doing(self, who: int, action: Callable[[], list[Said]]) -> list[Said]:
        """What a node says, unless its machine dies in the middle of it."""
        before = self.nodes[who]
        try:
            said = action()
        except Killed:
            self._dies(who)
            return []
        self._check(before)
        return said

    # -- nodes

    def _note_said(self, node: PureNode, said: Said) -> None:
        """An honest player says one thing in one place: entries and acts of their own."""
        if said.act is not None:
            own, kind, body = said.act.key == node.key, "act", said.act.body
        else:
            own, body = said.entry in node.own_entries, said.entry
            kind = "entry"
        if own and node.me not in self.cheats:
            bodies = self._signed.setdefault((node.me, kind, said.height), set())
            bodies.add(body)
            assert len(bodies) == 1, f"{node.me} says two things in place {said.height}: {kind}"

    def _choose(self, state: State, player: Player) -> Move:
        view = player.view(state)
        assert view is not None
        assert view.to_move is not None
        return self.rng.choice(view.legal_moves(view.to_move))

    def _tick(self, who: int) -> None:
        self._at(TICK, lambda: self._tick(who))
        node = self.nodes[who]
        if node.exposed is not None:
            self._show_evidence(node)
            return
        if node.height < self.last and self.rng.random() < 0.5 and not self._stalls(node):
            if "equivocates" in self.cheats.get(who, ()) and self.rng.random() < 0.5:
                self._equivocate(node)
            self._tell(who, self._doing(who, node.write))
        node = self.nodes[who]
        if who in self.cheats:
            self._cheat(node)
        elif self._wants_to_vote(node):
            due = node.state.due
            assert due is not None
            content = AbsentContent((due.player,))
            with suppress(Refused):
                self._tell(who, self._doing(who, lambda: node.vote(content)))
                self.figures["votes"] += 1
        self._tell_status(self.nodes[who])

    def _stalls(self, node: PureNode) -> bool:
        return "stalls" in self.cheats.get(node.me, ()) and self.rng.random() < 0.9

    def _wants_to_vote(self, node: PureNode) -> bool:
        height, since = self._since.setdefault(node.me, (node.height, self.now))
        if height != node.height:
            self._since[node.me] = node.height, self.now
            return False
        due = node.state.due
        waits = due is not None and due.player != node.me and len(self.nodes) > 2
        return waits and node.height < self.last and self.now - since > self.patience[node.me]

    def _tell_status(self, node: PureNode) -> None:
        for other in range(len(self.nodes)):
            if other != node.me:
                status = (node.height, node.state.head, tuple(node.acts(node.height - 8)))
                self._send(node.me, other, partial(self._hear_status, node.me, other, *status))

    def _hear_status(
        self, who: int, me: int, height: int, head: bytes, acts: tuple[Said, ...]
    ) -> None:
        node = self.nodes[me]
        node.hear_status(who, height)
        for said in acts:
            self._hear(me, said, who)
        node = self.nodes[me]
        if "withholds" in self.cheats.get(me, ()):
            return
        start = node.start.height
        known = start < height <= node.height and node.head_at(height) != head
        first = start + 1 if known else max(start, height) + 1
        for number in range(first, node.height + 1):
            self._say(me, who, Said(number, node.entry_at(number)))

    def _tell(self, who: int, told: list[Said]) -> None:
        for said in told:
            for other in range(len(self.nodes)):
                if other != who:
                    self._say(who, other, said)

    def _say(self, who: int, other: int, said: Said) -> None:
        self._check_secrets(self.nodes[who], said)
        self._note_said(self.nodes[who], said)
        self._send(who, other, lambda: self._hear(other, said, who))

    def _send(self, who: int, other: int, event: Callable[[], None]) -> None:
        faulty = self.now < FAULTS_END
        if frozenset({who, other}) in self.apart or (faulty and self.rng.random() < 0.1):
            self.figures["lost"] += 1
            return
        for _ in range(2 if faulty and self.rng.random() < 0.05 else 1):
            self._at(self.rng.expovariate(2.0 if faulty else 20.0), event)

    def _hear(self, me: int, said: Said, who: int) -> None:
        node = self.nodes[me]
        self.figures["messages"] += 1
        if said.act is not None and me in self.cheats:
            self._pool[said.act.body, said.act.key, said.act.signature] = said.act
        if said.entry and not is_joint(said.entry) and node.start.height < said.height:
            ours = node.entry_at(said.height) if said.height <= node.height else b""
            if ours and is_joint(ours):
                self._say(me, who, Said(said.height, ours))
        told = self._doing(me, lambda: node.hear(said))
        if "withholds" not in self.cheats.get(me, ()):
            self._tell(me, told)

    def _show_evidence(self, node: PureNode) -> None:
        assert node.exposed is not None
        for part in node.exposed.evidence:
            for other in range(len(self.nodes)):
                if other != node.me:
                    self._say(node.me, other, Said(self._height_of(node, part), part))

    def _height_of(self, node: PureNode, part: bytes) -> int:
        try:
            return Place.of(Entry.decode(part).body).height
        except Exception:
            return node.height

    # -- cheating

    def _equivocate(self, node: PureNode) -> None:
        """Another entry in the place, to one of the others."""
        if node.over or not node.player.owes(node.state):
            return
        move = self._choose(node.state, node.player) if node.player.chooses(node.state) else None
        with suppress(Refused):
            entry = node.player.write(node.state, node.entropy, move).entry
            other = self.rng.randrange(len(self.nodes))
            if other != node.me:
                self.figures["second entries"] += 1
                self._say(node.me, other, Said(node.height + 1, entry))

    def _cheat(self, node: PureNode) -> None:
        """Votes and refusals in the place that is next, or in one that was."""
        roles, others = self.cheats[node.me], range(len(self.nodes))
        heads = [head for head in node.heads[-4:] if head in self._states]
        state = self._states[self.rng.choice(heads)]
        due = state.due
        if due is None or due.player == node.me or len(self.nodes) < 3:
            return
        body = absence(state, AbsentContent((due.player,))).encode()
        if "contradicts" in roles and self.rng.random() < 0.3:
            vote = Act.vote(body, node.key, node.signer)
            refusal = Act.refusal(state.next_place, node.me, node.key, node.signer)
            for other in others:
                if other != node.me:
                    act = self.rng.choice((vote, refusal))
                    self.figures["contradicting acts"] += 1
                    self._say(node.me, other, Said(state.height + 1, act=act))
        if "completes" in roles and self.rng.random() < 0.3:
            self._complete(node, state, body)

    def _complete(self, node: PureNode, state: State, body: bytes) -> None:
        """The joint entry, of all votes that those who cheat have or can give."""
        ballot = Ballot(state.charter, state.next_place, b"")
        for cheat in self.cheats:
            key = state.charter.members[cheat].key
            if cheat != state.due.player:  # type: ignore[union-attr]
                ballot.add(Act.vote(body, key, self.nodes[cheat].signer))
        for act in self._pool.values():
            mine = act.key in {state.charter.members[cheat].key for cheat in self.cheats}
            if act.body == body and not mine:
                ballot.add(act)
        joint = ballot.joint()
        if joint is not None:
            self.figures["absences completed by cheats"] += 1
            for other in range(len(self.nodes)):
                if other != node.me and self.rng.random() < 0.7:
                    self._say(node.me, other, Said(state.height + 1, joint))

    # -- oracles

    def _check(self, node: PureNode) -> None:
        self._states[node.state.head] = node.state
        if node.me in self.cheats:
            return
        if node.exposed is not None:
            player = node.exposed.player
            assert player in self.cheats, f"{node.me} exposes honest {player}: {node.exposed}"
        self._check_agreement(node)

    def _check_agreement(self, node: PureNode) -> None:
        """Where nobody cheats, equal heights have equal states; but for what somebody has written
        whom all the others have meanwhile called absent, and who then is dismissed.
        """
        if self.cheats or node.dismissed or node.height == node.start.height:
            return
        heads = self._heads.setdefault(node.height, {})
        heads.setdefault(node.state.head, node.me)
        joint = [head for head in heads if self._is_after_absence(head)]
        assert len(heads) - bool(joint) <= 1, f"two states at height {node.height}"

    def _is_after_absence(self, head: bytes) -> bool:
        last = self._states[head].last
        return last is not None and isinstance(last.content, AbsentContent)

    def _check_secrets(self, node: PureNode, said: Said) -> None:
        if node.me not in self.cheats:
            for lock in node.player._locks.values():
                assert lock.encode() not in said.entry, "a lock is sent"

    def _check_end(self) -> None:
        for node in self.honest:
            if node.exposed is not None:
                self.figures[f"exposed: {node.exposed.cause}"] += 1
                self._check_evidence(node, node.exposed)
            elif node.dismissed:
                self.figures["dismissed"] += 1
        if not self.cheats:
            self._check_all_honest()
        self._check_forks()
        self.figures["entries"] += max(node.height - node.start.height for node in self.nodes)

    def _check_all_honest(self) -> None:
        """Play goes on when faults have stopped."""
        alive = [node for node in self.nodes if not node.dismissed]
        for node in alive:
            done = node.over or node.height >= self.last or self._is_stopped(node, alive)
            assert done, (
                f"{node.me} rests at {node.height} of {self.last}, waits for {node.state.due}"
            )

    def _is_stopped(self, node: PureNode, alive: list[PureNode]) -> bool:
        """Whether somebody who is due has lost their lock with a copy that was put back, or was
        sent away.
        """
        due = node.state.due
        gone = due is not None and all(other.me != due.player for other in alive)
        lost = due is not None and self.nodes[due.player].player.has_lost_a_lock(node.state)
        return gone or lost

    def _check_forks(self) -> None:
        """Honest nodes have one record, or somebody is exposed or dismissed at one of them."""
        for one in self.honest:
            for other in self.honest:
                height = min(one.height, other.height)
                if height <= one.start.height or one.head_at(height) == other.head_at(height):
                    continue
                self.figures["forks"] += 1
                told = any(node.exposed or node.dismissed for node in (one, other))
                assert told or self._is_shown(one, other), "two records, and nobody is exposed"

    def _is_shown(self, one: PureNode, other: PureNode) -> bool:
        """Whether the two records show who has cheated, when both are there."""
        for node, record in ((one, other), (other, one)):
            for height in range(node.start.height + 1, min(node.height, record.height) + 1):
                judge = node.clone()
                with suppress(Unattributable):
                    try:
                        judge._judge(height, record.entry_at(height))
                    except Exposed as error:
                        return error.player in self.cheats
                if judge.dismissed:
                    return True
        return False

    def _check_evidence(self, node: PureNode, exposed: Exposed) -> None:
        """Somebody who has only the record up to some entry, and the evidence, says the same."""
        state, parts = node.start, exposed.evidence
        for entry in (None, *node.entries):
            if entry is not None:
                state = advance(state, entry)
            if _exposes(state, parts) == (exposed.player, exposed.cause):
                return
        raise AssertionError(f"the evidence shows nothing: {exposed.cause} {exposed}")


def _exposes(state: State, parts: tuple[bytes, ...]) -> tuple[int, str] | None:
    for part in parts:
        try:
            state = advance(state, part)
        except Exposed as error:
            return error.player, error.cause
        except Unattributable:
            continue
    return None
