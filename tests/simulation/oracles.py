"""Oracles of a simulated table: checks after each event and at the end.

An oracle raises AssertionError, which says what is wrong. `figures` count events.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

from attrs import define, field

from p2p.match.match_node import MatchNode
from p2p.transport.messages import Message, pack
from protocol.audit import Auditor, Verdict
from protocol.charter import SignedCharter
from protocol.entries import Entry, is_second_entry, place_of
from protocol.errors import Exposed, Malformed
from protocol.match.messages import Proposal, Signed, Stance
from protocol.match.statements import decode_statement
from protocol.place import Place
from protocol.table.messages import Carry
from tests.simulation.cheats import Cheats
from tests.simulation.machine import Machine

PATIENT = 1000.0
"""A patience in seconds with which a person wishes for nothing until the simulation ends."""


@define
class Oracles:
    """The oracles of a match; the simulation begins at the height `start` of its record."""

    charter: SignedCharter
    start: int
    machines: Sequence[Machine]
    cheats: Cheats
    figures: Counter[str]
    _entries: dict[tuple[bytes, bytes, int], bytes] = field(factory=dict, init=False)
    _statements: dict[tuple[bytes, int], bytes] = field(factory=dict, init=False)
    _closed: dict[int, tuple[tuple[int, ...], bytes]] = field(factory=dict, init=False)
    """The points and the table of each round that all have closed, by the number of the round."""

    @property
    def _cheating(self) -> set[bytes]:
        return {cheat.key for cheat in self.cheats.machines}

    # -- after each event

    def check(self, machine: Machine) -> None:
        """Check one machine. Raises AssertionError."""
        node = machine.node
        assert node is not None
        if not machine.is_honest:
            return
        for record in node.tables.history.records.values():
            for exposed in record.exposures:
                self._check_exposed(machine, exposed)
        self._check_closed(node)

    def _check_exposed(self, machine: Machine, exposed: Exposed) -> None:
        """Check that only cheats are exposed."""
        assert exposed.key in self._cheating, (
            f"{machine.member.name} exposes an honest player: {exposed.cause} {exposed}"
        )

    def _check_closed(self, node: MatchNode) -> None:
        """Check that a round that all have closed always counts with the same points after that.

        With cheats, two tables can close the same round differently. The signatures then expose a
        cheat, so this case is not checked.
        """
        state, last = node.state, node.state.last
        number = len(state.results)
        if last is not None and last.content.kind == "close" and not state.match.round_over:
            self._closed.setdefault(number, (state.results[-1], state.table_id))
        if self.cheats.machines:
            return
        for closed, (points, table_id) in self._closed.items():
            live = state.wrote.issuperset(state.charter.signers)
            newer = state.charter.attempt and live and table_id != state.table_id
            if newer and number >= closed:
                assert state.results[closed - 1] == points, "a round has other points later"

    def said(self, machine: Machine, messages: Iterable[Message]) -> None:
        """Check that the messages contain no secret, and forget signatures that all have lost."""
        if not machine.is_honest or machine.node is None:
            return
        if machine.journal.was_put_back:
            for message in messages:
                self._forget_lost(machine, message)
        nodes = machine.node.tables.nodes.values()
        locks = [lock for node in nodes for lock in node.machine.player._player._locks.values()]
        secrets = [secret for key in locks for secret in (key.lock.encode(), key.seed)]
        for message in messages:
            if isinstance(message, Carry | Signed | Proposal | Stance):
                data = _packed(message)
                assert not any(secret in data for secret in secrets), "a secret is sent"

    def arrived(self, sender: Machine, message: Message) -> None:
        """Check that no honest key signs two entries in one place, or two charters of one attempt.

        A power cut can lose an unlocking. Therefore an unlocking may be followed by another entry
        in its place, after another head.
        """
        if not sender.is_honest:
            return
        if isinstance(message, Signed):
            statement = _statement(message.statement)
            if statement.key == sender.key:
                said = statement.key, statement.continues.attempt
                first = self._statements.setdefault(said, statement.charter.table_id)
                assert first == statement.charter.table_id, (
                    f"{sender.member.name} signs two continuations of attempt {said[1]}"
                )
        if isinstance(message, Carry):
            placed = _placed(message.entry)
            if placed is None or not _is_signed(placed[1], sender.key):
                return
            place, body = placed[0], placed[1].body
            first = self._entries.setdefault((sender.key, place.table_id, place.height), body)
            assert not is_second_entry(first, body), (
                f"{sender.member.name} signs two entries in place {place.height}"
            )
            self.figures["unlockings written again"] += first != body

    def _forget_lost(self, sender: Machine, message: Message) -> None:
        """Forget the earlier signature in this message's place, if no machine has it any more.

        That happens if the signer's journal is an older copy, and power cuts erased the signature
        on all other machines. Then nobody can tell the signer about it (`spec/threats.md`).
        """
        if isinstance(message, Signed):
            statement = _statement(message.statement)
            said = statement.key, statement.continues.attempt
            table_id = self._statements.get(said, b"")
            if statement.key == sender.key and not any(
                _has_signed(one, *said, table_id) for one in self.machines
            ):
                self._statements.pop(said, None)
        elif isinstance(message, Carry) and (placed := _placed(message.entry)) is not None:
            place, body = placed[0], placed[1].body
            where = sender.key, place.table_id, place.height
            first = self._entries.get(where, body)
            if first != body and not any(_has_entry(one, place, first) for one in self.machines):
                del self._entries[where]

    # -- at the end

    def check_end(self, last: int) -> None:
        """Check all machines at the end, when nothing new happens. Raises AssertionError."""
        honest = [one for one in self.machines if one.is_honest and one.node is not None]
        nodes = [one.node for one in honest if one.node is not None]
        for node in nodes:
            if node.exposed is not None:
                self.figures[f"exposed: {node.exposed.cause}"] += 1
            self.figures["left out"] += node.left_out
            self._check_record(node)
        self._check_progress(nodes, last)
        self.figures["rounds closed by all"] += len(self._closed)
        newest = max(nodes, key=lambda node: node.number, default=None)
        if newest is not None:
            self.figures["parts"] += newest.number - self.start
            self.figures["continuations"] += len(newest.tables.history.line()) - 1
            self.figures["ended"] += newest.state.ended

    def _check_progress(self, nodes: list[MatchNode], last: int) -> None:
        """Check that play goes on after the faults have stopped.

        This must hold if more than half of the founders are present, honest, willing, and without
        doubt about their own signatures. A bot is willing if its owner is present and willing.
        """
        here = [node for node in nodes if not node.left_out and not node.over]
        if not here:
            return
        newest = max(here, key=lambda node: (node.charter.attempt, node.number))
        founders = set(newest.state.founders)
        owners = {m.key: m.owner or m for m in self.machines}
        # A player who lost a lock with an old copy cannot play before the round is over.
        sure = {node.key for node in here if not self._doubts(node) and not node.trouble}
        sure &= {key for key, m in owners.items() if m.patience < PATIENT and m.key in sure}
        self.figures["resting in doubt"] += 2 * len(founders & sure) <= len(founders)
        if 2 * len(founders & sure) <= len(founders) or len(founders) < 3:
            return
        told = {machine.key: machine.member.name for machine in self.machines}
        for node in here:
            due = node.state.due
            waits = None if due is None else told.get(node.charter.members[due.player].key)
            assert node.key not in sure or node.number >= last, (
                f"{told[node.key]} makes no progress: at part {node.number} of {last}, in attempt "
                f"{node.charter.attempt}; waits for {waits}, missing {set(node.missing)}, stuck "
                f"{node.stuck}, has signed attempt {node.machine.statements.highest}, wish "
                f"{node.negotiation.mine.wish.kind.name}"
            )

    @staticmethod
    def _doubts(node: MatchNode) -> bool:
        running = node.tables.running.values()
        return any(each.resync.doubtful or not each.resync.done for each in running)

    def _check_record(self, node: MatchNode) -> None:
        """Check that a node's record file is whole, and exposes all cheats that the node knows."""
        auditor = Auditor()
        for _ in auditor.feed(b"".join(node.record())):
            pass
        finding = auditor.finish()
        assert finding.verdict not in {Verdict.BROKEN, Verdict.NEWER}, (
            f"the record is {finding.verdict.value}: {finding.cause} {finding.sentence} at "
            f"{finding.entry} of {node.number}"
        )
        for exposure in finding.exposed:
            assert exposure.key in self._cheating, f"the record exposes {exposure.name}"
        named = {exposure.key for exposure in finding.exposed}
        assert named >= node.tables.history.exposed, "the record does not expose a known cheat"


def _has_entry(machine: Machine, place: Place, body: bytes) -> bool:
    entries = map(_placed, machine.journal.entries(place.table_id, place.height, 1))
    return any(placed is not None and placed[1].body == body for placed in entries)


def _has_signed(machine: Machine, key: bytes, attempt: int, table_id: bytes) -> bool:
    """Return True if a machine has the key's signature for that continuation."""
    if any(record.table_id == table_id for record in machine.journal.tables()):
        return True
    known = () if machine.node is None else machine.node.machine.statements.all()
    return any(
        (s.key, s.continues.attempt, s.charter.table_id) == (key, attempt, table_id) for s in known
    )


_packed = lru_cache(1 << 12)(pack)
_statement = lru_cache(1 << 12)(decode_statement)
_is_signed = lru_cache(1 << 14)(Entry.is_signed_by)


@lru_cache(1 << 14)
def _placed(data: bytes) -> tuple[Place, Entry] | None:
    """Return an entry and its place; None for bytes that are no entry."""
    try:
        entry = Entry.decode(data)
        return place_of(entry.body), entry
    except Malformed:
        return None
