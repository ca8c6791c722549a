"""The state machine of a match's continuations at one node: from members' wishes to a new table.

`protocol.match.going_on` computes what is to be proposed, accepted and signed at any moment. The
machine here takes one event at a time, and returns what follows from it: what is to be written to
disk, signed, and told to others.

This node's signature is on the disk before anybody hears of it. The node signs only while none of
its tables is writing an entry: the event `Due` comes only then. Otherwise the node could write an
entry above the place where the continuation starts, which would contradict its signature (C1).

There is no clock, disk, thread or link here: `p2p.match.match_node` has them, and
`tests/simulation/exploration.py` explores all orders in which events can come to such machines.
"""

from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

from attrs import define, field

from engine.sentences import Sentence
from protocol.agreement import may_write
from protocol.charter import SignedCharter
from protocol.continuation import check_founders
from protocol.errors import Exposed, Malformed, Refused, Unattributable
from protocol.evidence import Evidence, Statement, statements_of
from protocol.match import events, tasks
from protocol.match.events import MatchEvent
from protocol.match.going_on import GoingOn
from protocol.match.history import History
from protocol.match.messages import (
    Candidates,
    Continued,
    MatchTalk,
    Proposal,
    ShownEvidence,
    Signed,
    Stance,
)
from protocol.match.negotiation import Negotiation
from protocol.match.statements import Statements, decode_statement, encode_statement
from protocol.match.tasks import Ready
from protocol.signatures import Signer
from protocol.state import State
from protocol.table.record import TableRecord


@define(eq=False)
class MatchMachine:
    """The state machine of the continuations of a match, at one player's node.

    For `objection` and `follows` see `GoingOn`.
    """

    match_id: bytes = field(repr=bytes.hex)
    me: int
    """The player at this node."""
    key: bytes = field(repr=bytes.hex)
    """The key of that player."""
    sign: Signer = field(repr=False)
    history: History[Any] = field(repr=False)
    """The tables that the node knows."""
    objection: Callable[[bytes, str], Sentence | None]
    follows: bytes = b""
    negotiation: Negotiation = field(init=False)
    statements: Statements = field(init=False)
    going_on: GoingOn = field(init=False)
    evidence: dict[bytes, bytes] = field(factory=dict, init=False)
    """Encoded evidence that can be checked without a record, by the key that it exposes."""
    _opening: set[bytes] = field(factory=set, init=False)
    """The ids of the tables that are being opened, or were."""
    _ready: Ready = field(factory=Ready, init=False)

    def __attrs_post_init__(self) -> None:
        self.negotiation = Negotiation(self.match_id, self.key, self.sign)
        self.statements = Statements(self.match_id, self.key, self.history)
        self.going_on = GoingOn(
            self.me, self.history, self.negotiation, self.statements, self.objection, self.follows
        )

    def handle(self, event: MatchEvent, now: float) -> Ready:
        """Return what is to be done after an event at that time.

        Raises Malformed for a message whose link is to be ended, and Refused for a wish that cannot
        be fulfilled.
        """
        ready = self._ready = Ready()
        said, self.negotiation.now = self._said, now
        match event:
            case events.Begun(number):
                self.negotiation.begin(number)
            case events.Said(key, talk):
                ready.is_news = ready.has_spoken = self._heard(key, talk)
            case events.Came(members):
                self.going_on.candidates[self.key] = members
                ready.has_spoken = True
            case events.Wished(wish):
                self.negotiation.wish(self.going_on.checked(wish))
            case events.BotsMade(successors, signers):
                self.going_on.bots.update(signers)
                self.going_on.propose(successors)
            case events.Grown(after, entry):
                self._compare(after, entry)
            case events.Due():
                self._sign()
            case events.Persisted(what):
                self._persisted(what)
            case events.Opened(record, signed):
                self._opened(record, signed)
            case events.Ticked():
                self.negotiation.beat()
        # A message that is no news changes nothing. After `Grown`, `Ticked` comes soon enough.
        if ready.is_news or not isinstance(event, events.Said | events.Grown):
            self._go_on()
        ready.has_spoken |= self._said != said
        return ready

    def may_write(self, table_id: bytes) -> bool:
        """Return True if this node may write at that table."""
        return may_write(self.history.branches(), self.statements.highest, table_id)

    @property
    def _said(self) -> tuple[object, ...]:
        return self.negotiation.mine, self.negotiation.offered.get(self.key)

    @property
    def talk(self) -> tuple[MatchTalk, ...]:
        """All messages that this node has for the other members at present."""
        charters = self.history.charters.values()
        continued = (signed for signed in charters if signed.charter.continues is not None)
        missing, offered = self.going_on.missing, self.negotiation.offered
        talks = missing or offered or self.going_on.stuck
        stances = self.negotiation.stances.values() if talks else (self.negotiation.mine,)
        here = self.going_on.candidates.get(self.key, ())
        return (
            *(Continued(signed.encode()) for signed in continued),
            *((Candidates(here),) if missing else ()),
            *stances,
            # Proposals go before signatures: a newcomer's signature counts only once a proposal
            # names the newcomer.
            *(one.message for one in offered.values()),
            *(Signed(encode_statement(statement)) for statement in self.statements.all()),
            *map(ShownEvidence, self.shown_evidence.values()),
        )

    def _go_on(self) -> None:
        """Propose, accept a proposal, and open tables, as far as each is possible now."""
        # The order matters: late members are left out of the proposal, and only a proposal that is
        # there can be accepted.
        self.going_on.note_late()
        self.going_on.lead()
        self.going_on.accept()
        for signed in tuple(self.history.early.values()):
            with suppress(Malformed):  # our record may reach the place now, and not fit
                self._open(signed)
        self._ready.is_due = self.going_on.agreed() is not None

    # -- what members say

    def _heard(self, key: bytes, talk: MatchTalk) -> bool:
        """Handle a message of the holder of that key. Return True for news. Raises Malformed."""
        match talk:
            case Candidates(members):
                news = self.going_on.candidates.get(key, ()) != members
                self.going_on.candidates[key] = members
                return news
            case Stance():
                return self.negotiation.hear(talk, self._expected)
            case Proposal():
                return self.negotiation.hear_proposal(talk, self.going_on.founders)
            case Signed(data):
                # Members send all signatures again with each heartbeat, and decoding verifies a
                # signature. So known bytes are not decoded again.
                if self.statements.has_bytes(data):
                    return False
                statement = decode_statement(data)
                return statement.key in self._expected and self._add(statement)
            case Continued(data):
                signed = SignedCharter.decode(data)
                if self._knows(signed) or signed.charter.match_id != self.match_id:
                    return False
                self._open(signed)
                return True
            case ShownEvidence(data):
                return data not in self.evidence.values() and self._shown(data)

    @property
    def _expected(self) -> set[bytes]:
        """The keys of the members of all tables of the match, founded or proposed.

        Stances and signatures of other keys are ignored.
        """
        offered = self.negotiation.offered.values()
        proposed = (member for one in offered for member in one.charter.members)
        return {member.key for member in (*self.history.members, *proposed)}

    # -- signatures

    def _sign(self) -> None:
        charter = self.going_on.agreed()
        if charter is not None:
            with suppress(Refused):
                statement = self.going_on.signed(charter, self.sign)
                self._ready.persist.append(tasks.Sign(statement))

    def _persisted(self, what: tasks.Persist) -> None:
        self._ready.has_spoken = True
        if isinstance(what, tasks.Sign):
            for statement in (what.statement, *self.going_on.note_signed(what.statement)):
                self._add(statement)

    def _add(self, statement: Statement) -> bool:
        """Add a signature, and open the table if none is missing now. Return True for news."""
        try:
            news = self.statements.add(statement)
        except Exposed as error:
            self._expose(error)
            news = True
        signed = self.statements.concluded(statement.charter.table_id)
        if signed is not None and not self._knows(signed):
            self._open(signed)
        return news

    # -- new tables

    def _knows(self, signed: SignedCharter) -> bool:
        table_id = signed.charter.table_id
        known = self.history.records.keys() | self.history.early.keys() | self._opening
        return table_id in known

    def _open(self, signed: SignedCharter) -> None:
        """Have the table of a fully signed continuation opened.

        If this node's record does not reach the place where the continuation starts, keep the
        continuation for later. Raises Malformed for one that does not fit the record.
        """
        try:
            start = self.history.begins(signed)
            if start is None:
                # The rest can be checked only later. This check keeps a member from filling the
                # memory with made-up continuations.
                check_founders(self.history.newest.state, signed.charter)
        except Unattributable as error:
            raise Malformed(error.sentence) from error
        table_id = signed.charter.table_id
        if start is None:
            self.history.early[table_id] = signed
            return
        self.history.early.pop(table_id, None)
        self.history.keep(signed)
        self._opening.add(table_id)
        self._ready.persist.append(tasks.Open(signed, start))

    def _opened(self, record: TableRecord, signed: SignedCharter) -> None:
        """Add a table that is open now. If it is the newest one, the match goes on there."""
        before = self.history.newest
        self.history.add(record, signed)
        self._ready.has_spoken = True
        # Some of these signatures may be new here: each is compared with all that its key has
        # signed.
        for statement in statements_of(signed):
            self._add(statement)
        if self.history.newest is not before:
            self.going_on.settle()
            self._ready.before = before.state

    # -- evidence

    @property
    def shown_evidence(self) -> dict[bytes, bytes]:
        """All encoded evidence that needs no record to be checked, by the key that it exposes."""
        return {**self.history.evidence_of_forks(), **self.evidence}

    def _compare(self, after: State, entry: bytes) -> None:
        """Expose the writer of an entry if it contradicts a continuation that they have signed."""
        assert after.last is not None
        key = after.charter.key_of(after.last.writer)
        try:
            self.statements.check_entry(key, entry, after.charter)
        except Exposed as error:
            self._expose(error)

    def _shown(self, data: bytes) -> bool:
        """Note evidence that a member shows. Return True if it exposes somebody new."""
        try:
            # `exposes` returns an error or raises another one. Raising both handles them alike.
            raise Evidence.decode(data).exposes(self.match_id)
        except Unattributable:
            return False
        except Exposed as error:
            if error.key in self.history.exposed or error.key not in self._expected:
                return False
            self._expose(error)
            return True

    def _expose(self, error: Exposed) -> None:
        """Note that two signatures of one key contradict each other.

        The newest table stops only if this node plays there and the signer has a seat there.
        """
        self.evidence.setdefault(error.key, error.evidence[0])
        state = self.history.newest.state
        stops = (
            state.table_id in self.history.machines
            and state.charter.player_of(error.key) is not None
        )
        self._ready.persist.append(tasks.Expose(error, state.table_id, stops))

    def recall(self, statements: Iterable[bytes], parts: Iterable[tuple[bytes, bytes]]) -> None:
        """Take what the journal has: this node's signatures, and pairs of table id and evidence.

        Call it when the history has all tables. Raises Malformed for a signature that does not
        hold.
        """
        self.statements.recall(statements)
        charter = self.history.newest.state.charter
        for table_id, part in parts:
            try:
                raise Evidence.decode(part).exposes(self.match_id)
            except (Malformed, Unattributable):
                continue  # the part is an entry, which its table's record judges
            except Exposed as error:
                self.evidence.setdefault(error.key, part)
                if charter.player_of(error.key) is not None:
                    self.history.records[table_id].expose(error)
