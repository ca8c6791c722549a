"""Evidence: two signatures of one key that contradict each other.

A *statement* is one member's signature for a continuation, with the places that the member abandons
by it. Three pairs of signatures expose their signer (`spec/record.md`, 6.6):

- C1: a statement that leaves a table at some height, and an entry at that table above that height.
  Unlockings do not count. They choose nothing, and a power cut can erase an unlocking from its
  writer's disk after the others have received it.
  If two entries of one height fork a record, the continuation may start before both. A member who
  has written after one of them then abandons the end of their own record: they leave the table
  there, and not where the continuation starts.
- C2: the closing of a round at a table, and a statement for a continuation that loses the round.
  Suppose the table has attempt 2. The round is lost if a continuation without its result starts
  from this table. It is also lost if attempt 3 or higher, without the result, starts from attempt 0
  or 1. It is no fault if attempt 4 starts from attempt 3: the others had gone on there meanwhile.
- C3: two statements of the same attempt for different continuations.

C2 and C3 protect a round that all have closed. More than half of the founders have closed it. Any
continuation that loses the round is signed by more than half of the founders, too. So at least one
founder has done both, and is exposed.

An honest node never gives such a pair, whatever others do: see `protocol.agreement`.
"""

from collections.abc import Iterable
from typing import Self

from attrs import field, frozen

from engine.sentences import Sentence
from protocol.charter import (
    CHARTER_LIMIT,
    MOST_MEMBERS,
    Charter,
    SignedCharter,
)
from protocol.codec import Encodable, Fields, encode
from protocol.continues import Continues, take_abandons
from protocol.entries import ENTRY_LIMIT, Body, CloseContent, Entry, UnlockContent
from protocol.errors import Exposed, Malformed, Unattributable
from protocol.place import Place
from protocol.signing import SIGNATURE_BYTES

EVIDENCE_LIMIT = ENTRY_LIMIT
"""The most bytes of evidence: those of the longest part of a record."""

_KIND = "evidence"
_CLAUSE = "R20"


@frozen
class Statement:
    """The signature of a player for a continuation, and the places that they abandon by it.

    `charter` is the continuation, and `player` the number of the signer in it.
    """

    charter: Charter
    player: int
    signature: bytes = field(repr=False)
    abandons: tuple[Place, ...] = ()

    @property
    def key(self) -> bytes:
        """The key of the signer."""
        return self.charter.members[self.player].key

    @property
    def continues(self) -> Continues:
        """The place where the continuation starts, and what it changes."""
        assert self.charter.continues is not None, "`from_fields` has seen to it"
        return self.charter.continues

    def fields(self) -> Encodable:
        """Return the statement as a value: the inverse of `from_fields`."""
        places = [place.fields() for place in self.abandons]
        return (self.charter.encode(), self.player, places, self.signature)

    @classmethod
    def from_fields(cls, fields: Fields) -> Self:
        """Return the statement in `fields`. Raises Malformed, also for a wrong signature."""
        charter = Charter.decode(fields.take_bytes("charter", most=CHARTER_LIMIT))
        player = fields.take_int("player", 0, MOST_MEMBERS - 1)
        abandons = take_abandons(fields)
        signature = fields.take_bytes("signature", exact=SIGNATURE_BYTES)
        fields.end()
        if charter.continues is None or player not in charter.signers:
            raise Malformed("A statement is the signature of a member for a continuation.")
        if not charter.is_signed_by(player, signature, abandons):
            raise Malformed("{name} has not signed this charter.", name=charter.name_of(player))
        return cls(charter, player, signature, abandons)


def statements_of(signed: SignedCharter) -> tuple[Statement, ...]:
    """Return the statements in a continuation that all have signed."""
    charter = signed.charter
    given = zip(charter.signers, signed.signatures, signed.abandons, strict=True)
    return tuple(Statement(charter, *each) for each in given)


@frozen
class Evidence:
    """A statement, and another signature of the same key that contradicts it.

    `other` is another statement, or an entry at a table of the match. If it is an entry, `table` is
    the charter of that table.
    """

    statement: Statement
    other: Statement | Entry
    table: Charter | None = None

    def encode(self) -> bytes:
        other = self.other
        table = None if self.table is None else self.table.encode()
        said = other.encode() if isinstance(other, Entry) else other.fields()
        return encode((_KIND, self.statement.fields(), said, table))

    @classmethod
    def decode(cls, data: bytes) -> "Evidence":
        """Return the evidence in `data`. Raises Malformed."""
        fields = Fields.decode(data, _KIND, limit=EVIDENCE_LIMIT)
        if fields.take_text("kind", len(_KIND)) != _KIND:
            raise Malformed("That is no evidence.")
        statement = Statement.from_fields(fields.take_fields("statement"))
        other: Statement | Entry
        if isinstance(said := fields.take("other"), bytes):
            other = Entry.decode(said)
            table = Charter.decode(fields.take_bytes("table", most=CHARTER_LIMIT))
        else:
            other, table = Statement.from_fields(Fields(said, "other statement")), None
            if fields.take("table") is not None:
                raise Malformed("Two statements need no table.")
        fields.end()
        return cls(statement, other, table)

    def exposes(self, match_id: bytes) -> Exposed:
        """Return the exposure of the signer. Raises Unattributable (R20) if nobody is exposed."""
        found = self._contradiction(match_id)
        if found is None:
            raise Unattributable(_CLAUSE, "These two signatures do not contradict each other.")
        cause, sentence = found
        statement = self.statement
        return Exposed(statement.player, cause, sentence, (self.encode(),), statement.key)

    def _contradiction(self, match_id: bytes) -> tuple[str, Sentence] | None:
        statement, other = self.statement, self.other
        if statement.charter.match_id != match_id:
            return None
        if isinstance(other, Statement):
            return self._two_statements(other)
        assert self.table is not None, "`decode` and the makers see to it"
        if self.table.match_id != match_id or not other.is_signed_by(statement.key):
            return None
        try:
            body = Body.decode(other.body, self.table.deck)
        except Malformed:
            return None  # such an entry exposes its writer in the record of its table (R9)
        if body.place.table_id != self.table.table_id:
            return None
        return contradiction(statement.continues, statement.abandons, body, self.table.attempt)

    def _two_statements(self, other: Statement) -> tuple[str, Sentence] | None:
        mine = self.statement
        same = same_number(mine.continues, other.continues)
        if same and other.key == mine.key and other.charter != mine.charter:
            return "C3", Sentence("They have signed two continuations with the same number.")
        return None


def contradiction(
    continues: Continues, abandons: Iterable[Place], body: Body, attempt: int
) -> tuple[str, Sentence] | None:
    """Return cause and sentence if an entry contradicts a statement (C1, C2); None if not.

    `continues` and `abandons` are of the statement, `body` is of the entry, and `attempt` is that
    of the entry's table. One key has signed both.
    """
    table_id, content = body.place.table_id, body.content
    leaves = (continues.place, *abandons)
    left_at = max((p.height for p in leaves if p.table_id == table_id), default=None)
    unlocks = isinstance(content, UnlockContent)
    if left_at is not None and body.place.height > left_at and not unlocks:
        return "C1", Sentence("They have signed that they leave a table, and played on there.")
    is_parent = continues.place.table_id == table_id
    passes = continues.parent_attempt < attempt < continues.attempt
    if not isinstance(content, CloseContent) or not (is_parent or passes):
        return None
    # This slice has the points of the round; it is empty if the continuation does not count it.
    if content.points in continues.results[content.round_number - 1 : content.round_number]:
        return None
    return "C2", Sentence("They have closed a round, and signed a continuation without it.")


def same_number(one: Continues, other: Continues) -> bool:
    """Return True for continuations with the same match and attempt: nobody may sign two (C3)."""
    return (one.match_id, one.attempt) == (other.match_id, other.attempt)


def find(statement: Statement, entry: bytes, table: Charter, match_id: bytes) -> Exposed | None:
    """Return the exposure by a statement and an entry of that table; None if there is none."""
    try:
        return Evidence(statement, Entry.decode(entry), table).exposes(match_id)
    except (Malformed, Unattributable):
        return None
