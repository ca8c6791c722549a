"""What must hold at a simulated table, whatever happens: asked after each event, and at the end.

An oracle is an AssertionError with what is wrong. Figures count what was seen.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import lru_cache
from itertools import combinations

from attrs import define, field

from p2p.table.live_record import Outcome
from p2p.table.node import Node
from p2p.transport.messages import Carry, Message, Vote, pack
from protocol.audit import Auditor, Verdict
from protocol.ballot import height_of, step_of
from protocol.charter import Charter, SignedCharter
from protocol.entries import Entry, Place
from protocol.errors import Exposed, Malformed, Unattributable
from protocol.record import record_parts
from protocol.state import Step
from tests.simulation.cheats import Cheats
from tests.simulation.machine import Machine

SeatedStep = tuple[Step, Charter]
"""A step of a record, with those who sat there then."""


@lru_cache(1 << 14)
def place_of(body: bytes) -> Place | None:
    """Where a signed body belongs; None for what is none."""
    try:
        return Place.of(body)
    except Malformed:
        return None


@define
class Oracles:
    """Of the table with that charter, which begins at the height `start`."""

    charter: SignedCharter
    start: int
    cheats: Cheats
    figures: Counter[str]
    _said: dict[tuple[bytes, str, Place], bytes] = field(factory=dict, init=False)
    _heads: dict[int, set[bytes]] = field(factory=dict, init=False)
    _steps: dict[bytes, SeatedStep] = field(factory=dict, init=False)
    _closed: dict[int, tuple[bytes, bytes]] = field(factory=dict, init=False)
    _acts: dict[tuple[int, bytes, Place], bytes] = field(factory=dict, init=False)

    # -- after each event

    def check(self, machine: Machine, machines: Iterable[Machine]) -> None:
        node = machine.node
        assert node is not None
        if not machine.is_honest:
            return
        if node.exposed is not None:
            self._check_exposed(machine, node.exposed)
        self._check_agreement(node, machines)
        self._check_closed(node)

    def _check_exposed(self, machine: Machine, exposed: Exposed) -> None:
        """No honest player is ever exposed."""
        assert machine.node is not None
        state = machine.node.state
        height = max(height_of(part, state.height) for part in exposed.evidence)
        member = state.charter_at(height).members[exposed.player]
        assert member.key in self._cheating, (
            f"{machine.member.name} exposes honest {member.name}: {exposed}"
        )

    def _check_agreement(self, node: Node, machines: Iterable[Machine]) -> None:
        """Where nobody cheats, equal heights have equal states; but for what somebody has written
        whom all the others have meanwhile called absent, and who then is dismissed. They may have
        written on, as long as it was their turn alone, before they saw the absence. And a state
        that reached nobody is none when its writer's journal was put back.
        """
        if self.cheats.machines or node.dismissed or node.height <= self.start:
            return
        self._note_steps(node)
        heads = self._heads.setdefault(node.height, set())
        heads.add(node.state.head)
        for one, other in combinations(sorted(heads), 2):
            ours, theirs = self._apart(one, other)
            overtaken = _has_overtaken(ours, theirs) or _has_overtaken(theirs, ours)
            both = all(_is_kept(head, node.height, machines) for head in (one, other))
            assert overtaken or not both, f"two states at height {node.height}"

    def _note_steps(self, node: Node) -> None:
        """The steps that have led there, as far as they were not noted before."""
        for height in range(node.height, self.start, -1):
            head = node.head_at(height)
            if head in self._steps:
                return
            (entry,) = node._journal.entries(node.table_id, height, 1)
            step = step_of(node.state.charter_at(height), Entry.decode(entry))
            self._steps[head] = step, node.state.charter_at(height)

    def _apart(self, one: bytes, other: bytes) -> tuple[list[SeatedStep], list[SeatedStep]]:
        """The steps to these two heads of one height since they have parted, the newest first."""
        ours, theirs = list[SeatedStep](), list[SeatedStep]()
        while one != other:
            ours.append(self._steps[one])
            theirs.append(self._steps[other])
            one, other = (steps[-1][0].place.previous for steps in (ours, theirs))
        return ours, theirs

    def _check_closed(self, node: Node) -> None:
        """What was signed by all stays: a round that all have closed, and what led to it. But the
        last one may close it while the others agree that they are absent.
        """
        state, last = node.state, node.state.last
        if last is not None and last.content.kind == "close" and not state.match.round_over:
            closer = state.charter.members[last.writer].key
            if closer not in self._cheating:
                self._closed.setdefault(state.height, (last.place.previous, state.head))
        for height, (before, head) in self._closed.items():
            if height <= node.height and node.head_at(height) != head:
                (ours,) = node._journal.entries(node.table_id, height, 1)
                is_rival = node.head_at(height - 1) == before and _is_joint(ours)
                assert is_rival, "what all have signed is not in a record"

    @property
    def _cheating(self) -> set[bytes]:
        return {cheat.key for cheat in self.cheats.machines}

    def heard(self, sender: bytes, machine: Machine, message: Message) -> None:
        """Who has provably cheated towards an honest node is exposed: two entries of one player in
        one place of its record, an entry of who was not due there, two acts. But a node hears
        nothing from who is no member any more: it has no link to them (`spec/threats.md`). It
        does what is said here when a member passes it on.
        """
        node = machine.node
        if node is None or not machine.is_honest or node.over:
            return
        if node.charter.player_of(sender) is None:
            return
        told = isinstance(message, Carry) and self._contradicts(node, message)
        told = told or (isinstance(message, Vote) and self._is_second_act(node, message))
        assert not told, f"{machine.member.name} was shown a cheat, and exposes nobody"

    def _contradicts(self, node: Node, carry: Carry) -> bool:
        if not self.start < carry.height <= node.height or node.live_record.has(
            carry.height, carry.entry
        ):
            return False
        place, charter = node.live_record.place_of(carry.height)
        theirs = _decoded(carry.entry)
        (ours,) = node._journal.entries(node.table_id, carry.height, 1)
        if theirs is None or theirs.is_joint or _is_joint(ours) or _decoded(ours) == theirs:
            return False
        signed = any(_is_signed(theirs, member.key) for member in charter.members)
        return signed and place_of(theirs.body) == place

    def _is_second_act(self, node: Node, vote: Vote) -> bool:
        place = place_of(vote.body)
        if place is None or not self.start < place.height <= node.height + 1:
            return False
        there, charter = node.live_record.place_of(place.height)
        if place != there or charter.player_of(vote.key) is None:
            return False
        first = self._acts.setdefault((id(node), vote.key, place), vote.body)
        return first != vote.body

    def said(self, machine: Machine, messages: Iterable[Message]) -> None:
        """No secret is in a byte that is sent."""
        if not machine.is_honest or machine.node is None:
            return
        locks = machine.node._player._player._locks.values()
        secrets = [secret for key in locks for secret in (key.lock.encode(), key.seed)]
        for message in messages:
            if isinstance(message, Carry | Vote):
                data = pack(message)
                assert not any(secret in data for secret in secrets), "a secret is sent"

    def arrived(self, sender: Machine, message: Message, machines: Iterable[Machine]) -> None:
        """No honest key signs two things in one place that reach anybody. But a player whose
        journal was put back may write again what is in no journal of the table any more: it was
        lost with the power of all others, and nobody can tell or show it (`spec/threats.md`).
        """
        signed = _signed_by(sender.key, message) if sender.is_honest else None
        if signed is None:
            return
        kind, place, body = signed
        first = self._said.setdefault((sender.key, kind, place), body)
        if first == body:
            return
        is_lost = (
            kind == "entry"
            and not self.cheats.machines
            and not any(_has(one, place.height, first) for one in machines)
        )
        assert is_lost, f"{sender.member.name} says two things in place {place.height}: {kind}"
        self.figures["entries written again, lost by all"] += 1
        self._said[sender.key, kind, place] = body

    # -- at the end

    def check_end(self, machines: list[Machine], last: int) -> None:
        honest = [one for one in machines if one.is_honest and one.node is not None]
        for machine in honest:
            node = machine.node
            assert node is not None
            if node.exposed is not None:
                self.figures[f"exposed: {node.exposed.cause}"] += 1
                self._check_evidence(node, node.exposed)
            elif node.dismissed:
                self.figures["dismissed"] += 1
        nodes = [one.node for one in honest if one.node is not None]
        if not self.cheats.machines:
            self._check_all_honest(machines, nodes, last)
        self._check_forks(nodes)
        self.figures["rounds closed by all"] += len(self._closed)
        self.figures["entries"] += max((node.height - self.start for node in nodes), default=0)

    def _check_all_honest(self, machines: list[Machine], nodes: list[Node], last: int) -> None:
        """Play goes on when faults have stopped."""
        here = [node for node in nodes if not node.dismissed]
        left = self._left(here)
        alive = [node for node in here if node not in left]
        self.figures["left behind"] += len(left)
        for node in alive:
            if not (
                node.over or node.height >= last or self._waits_for_lost(node, machines, alive)
            ):
                raise AssertionError(
                    f"{node.me} rests at {node.height} of {last}, waits for {node.state.due}"
                )
        heads = {node.state.head for node in alive if not node.state.complete}
        assert len(heads) <= 1, "records have not come together"

    def _left(self, nodes: list[Node]) -> list[Node]:
        """Those who wait for a release that nobody can give (`spec/threats.md`): who went past the
        place does not know whether they have voted there, since their journal was put back, or
        waits for a release too; or the seat was given away meanwhile, which they are too far
        behind to see.
        """
        left = [node for node in nodes if self._is_replaced(node, nodes)]
        waiting = [node for node in nodes if node._coordinator.votes.ballot.holds_back]
        free = [node for node in nodes if node not in left and node not in waiting]
        while more := [n for n in waiting if n not in free + left and self._is_freed(n, free)]:
            free += more
        return [node for node in nodes if node not in free]

    def _is_replaced(self, node: Node, nodes: list[Node]) -> bool:
        key = node.charter.members[node.me].key
        further = [other for other in nodes if other.height > node.height]
        waits = node._coordinator.votes.ballot.holds_back or node.resync.doubtful
        return waits and any(key != other.charter.members[node.me].key for other in further)

    def _is_freed(self, node: Node, free: list[Node]) -> bool:
        """Whether one of those may still refuse, or vote otherwise."""
        ballot = node._coordinator.votes.ballot
        assert ballot.mine is not None
        named, height = ballot.content_of(ballot.mine.body).players, ballot.place.height
        return any(
            other._coordinator.own.refuses_after < height and other.me not in named
            for other in free
        )

    def _waits_for_lost(self, node: Node, machines: list[Machine], alive: list[Node]) -> bool:
        """Whether somebody who is due has lost their lock or their seat with a copy that was put
        back, was sent away, or is left behind.
        """
        due = node.state.due
        assert due is not None
        key = node.charter.members[due.player].key
        machine = next(one for one in machines if one.key == key)
        theirs = machine.node
        return theirs is None or theirs not in alive or theirs.trouble is not None

    def _check_forks(self, nodes: list[Node]) -> None:
        """Honest nodes have one record; or somebody is exposed or dismissed at one of them; or each
        is absent by the record of the other, and both have ended with the same points (record.md,
        6).
        """
        for one in nodes:
            for other in nodes:
                height = min(one.height, other.height)
                if height <= self.start or one.head_at(height) == other.head_at(height):
                    continue
                self.figures["forks"] += 1
                told = any(node.exposed or node.dismissed for node in (one, other))
                told = told or self._are_both_sent_away(one, other) or self._is_shown(one, other)
                assert told, "two records, and nobody is exposed"

    def _are_both_sent_away(self, one: Node, other: Node) -> bool:
        ends = {(node.state.complete, node.state.match.totals) for node in (one, other)}
        away = self._names_absent(one, other) and self._names_absent(other, one)
        return away and ends == {(True, one.state.match.totals)}

    def _names_absent(self, one: Node, other: Node) -> bool:
        """Whether the record of one says that the other is absent, who has another record there."""
        self._note_steps(one)
        key = other.charter.members[other.me].key
        for height in range(self.start + 1, one.height + 1):
            head = one.head_at(height)
            step, charter = self._steps[head]
            there = height > other.height or other.head_at(height) != head
            if there and step.is_joint and key in _named(step, charter):
                return True
        return False

    def _is_shown(self, one: Node, other: Node) -> bool:
        """Whether the two records show who has cheated or is dismissed, when both are there."""
        for node, record in ((one, other), (other, one)):
            for height in range(self.start + 1, min(node.height, record.height) + 1):
                (entry,) = record._journal.entries(record.table_id, height, 1)
                with suppress(Unattributable):
                    try:
                        if node.live_record.judge(height, entry) is Outcome.DISMISSED:
                            return True
                    except Exposed:
                        return True
        return False

    def _check_evidence(self, node: Node, exposed: Exposed) -> None:
        """An auditor who has only the record up to some entry, and the evidence, says the same."""
        entries = node._journal.entries(node.table_id)
        for length in range(len(entries), self.start - 2, -1):
            auditor = Auditor()
            record = record_parts(self.charter, [*entries[:length], *exposed.evidence])
            for _ in auditor.feed(b"".join(record)):
                pass
            finding = auditor.finish()
            if (
                finding.verdict in (Verdict.EXPOSED, Verdict.ILLEGAL)
                and finding.player == exposed.player
            ):
                assert finding.cause == exposed.cause
                return
        raise AssertionError(f"the evidence shows nothing: {exposed.cause} {exposed}")


def _has_overtaken(ours: list[SeatedStep], theirs: list[SeatedStep]) -> bool:
    """Whether ours begin with an absence, and theirs are all by those whom it names."""
    absence, charter = ours[-1]
    named = _named(absence, charter)
    return absence.is_joint and all(named.issuperset(step.signers) for step, _ in theirs)


def _named(absence: Step, charter: Charter) -> set[bytes]:
    """The keys of those whom a joint entry calls absent."""
    return {member.key for member in charter.members}.difference(absence.signers)


def _is_joint(data: bytes) -> bool:
    entry = _decoded(data)
    return entry is not None and entry.is_joint


@lru_cache(1 << 14)
def _decoded(data: bytes) -> Entry | None:
    try:
        return Entry.decode(data)
    except Malformed:
        return None


def _has(machine: Machine, height: int, body: bytes) -> bool:
    """Whether an entry of that body is in the machine's journal."""
    return any(entry.body == body for entry in _entries_at(machine, height))


def _is_kept(head: bytes, height: int, machines: Iterable[Machine]) -> bool:
    """Whether an entry with that digest is in anybody's journal."""
    return any(entry.head == head for one in machines for entry in _entries_at(one, height))


def _entries_at(machine: Machine, height: int) -> Iterator[Entry]:
    """The entry at that height in the machine's journal, if there is one."""
    tables = machine.journal.tables()
    kept = machine.journal.entries(tables[0].table_id, height, 1) if tables else ()
    return (entry for entry in map(_decoded, kept) if entry is not None)


def _signed_by(key: bytes, message: Message) -> tuple[str, Place, bytes] | None:
    """What the holder of that key says with it by a signature of their own."""
    if isinstance(message, Vote) and message.key == key:
        place = place_of(message.body)
        return None if place is None else ("act", place, message.body)
    if isinstance(message, Carry):
        entry = _decoded(message.entry)
        if entry is not None and not entry.is_joint and _is_signed(entry, key):
            place = place_of(entry.body)
            return None if place is None else ("entry", place, entry.body)
    return None


@lru_cache(1 << 14)
def _is_signed(entry: Entry, key: bytes) -> bool:
    return entry.is_signed_by(key)
