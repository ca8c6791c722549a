"""Evidence: two signatures of one key that contradict each other.

A *statement* is one member's signature for a continuation, with the places that the member abandons
by it. Four pairs of signatures expose their signer (`spec/record.md`, 6.6):

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
- R8: two entries of one height at a table. Usually the record itself has both of them. They become
  evidence when the match goes on from before both, so that the record has neither.

C2 and C3 protect a round that all have closed. More than half of the founders have closed it. Any
continuation that loses the round is signed by more than half of the founders, too. So at least one
founder has done both, and is exposed.

An honest node never gives such a pair, whatever others do: see `protocol.agreement`.
"""

from collections.abc import Iterable
from typing import Self

from attrs import field, frozen

from engine.sentences import Sentence
from protocol.charter import CHARTER_LIMIT, MOST_MEMBERS, Charter, SignedCharter
from protocol.codec import Encodable, Fields, Value, encode
from protocol.continues import Continues, take_abandons
from protocol.entries import ENTRY_LIMIT, Body, CloseContent, Entry, UnlockContent, is_second_entry
from protocol.errors import Exposed, Malformed, Unattributable
from protocol.place import Place
from protocol.signatures import SIGNATURE_BYTES

EVIDENCE_LIMIT = ENTRY_LIMIT
"""The maximum number of bytes of evidence: it must fit into one part of a record."""

TWO_ENTRIES = Sentence("There are two different entries of the same player in one place.")

_KIND = "evidence"
_CLAUSE = "R20"


@frozen
class Statement:
    """The signature of a player for a continuation, and the places that they abandon by it."""

    charter: Charter
    """The continuation."""
    player: int
    """The number of the signer in the continuation."""
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
    """Two signatures of the same key that contradict each other.

    They are two statements, or a statement and an entry, or two entries. If there is an entry,
    `table` is the charter of its table.
    """

    one: Statement | Entry
    other: Statement | Entry
    table: Charter | None = None

    def encode(self) -> bytes:
        table = None if self.table is None else self.table.encode()
        return encode((_KIND, _fields_of(self.one), _fields_of(self.other), table))

    @classmethod
    def decode(cls, data: bytes) -> "Evidence":
        """Return the evidence in `data`. Raises Malformed."""
        fields = Fields.decode(data, _KIND, limit=EVIDENCE_LIMIT)
        if fields.take_text("kind", len(_KIND)) != _KIND:
            raise Malformed("That is no evidence.")
        one, other = (_signed(fields.take(name), name) for name in ("one", "other"))
        table = None
        if isinstance(other, Entry):
            table = Charter.decode(fields.take_bytes("table", most=CHARTER_LIMIT))
        elif isinstance(one, Entry):
            raise Malformed("That is no evidence.")  # a statement stands before an entry
        elif fields.take("table") is not None:
            raise Malformed("Two statements need no table.")
        fields.end()
        return cls(one, other, table)

    @property
    def charter(self) -> Charter:
        """The charter in which the number of the signer stands."""
        found = self.one.charter if isinstance(self.one, Statement) else self.table
        assert found is not None, "`decode` and the makers see to it"
        return found

    def exposes(self, match_id: bytes) -> Exposed:
        """Return the exposure of the signer. Raises Unattributable (R20) if nobody is exposed."""
        signer = self._signer()
        if signer is not None:
            key = self.charter.key_of(signer)
            if (found := self._contradiction(match_id, key)) is not None:
                return Exposed(signer, *found, (self.encode(),), key)
        raise Unattributable(_CLAUSE, "These two signatures do not contradict each other.")

    def _signer(self) -> int | None:
        """Return the number of the member of `charter` who has signed `one`, or None."""
        if isinstance(self.one, Statement):
            return self.one.player
        keys = (member.key for member in self.charter.members)
        return next((player for player, key in enumerate(keys) if self.one.is_signed_by(key)), None)

    def _contradiction(self, match_id: bytes, key: bytes) -> tuple[str, Sentence] | None:
        """Return cause and sentence if the holder of `key`, who has signed `one`, is exposed."""
        one, other = self.one, self.other
        # In another match, attempts and heights have another meaning.
        if self.charter.match_id != match_id:
            return None
        if isinstance(other, Statement):
            assert isinstance(one, Statement), "a statement stands before an entry"
            return _two_statements(one, other)
        if self.table is None or self.table.match_id != match_id or not other.is_signed_by(key):
            return None
        body = _body(other, self.table)
        if body is None:
            return None
        if isinstance(one, Statement):
            return contradiction(one.continues, one.abandons, body, self.table.attempt)
        second = _body(one, self.table)
        is_rival = second is not None and second.place.height == body.place.height
        return ("R8", TWO_ENTRIES) if is_rival and is_second_entry(one.body, other.body) else None


def _fields_of(signed: Statement | Entry) -> Encodable:
    """Return a statement or an entry as a field of evidence: the inverse of `_signed`."""
    return signed.encode() if isinstance(signed, Entry) else signed.fields()


def _signed(value: Value, name: str) -> Statement | Entry:
    """Return the statement or the entry in a field of evidence. Raises Malformed."""
    if isinstance(value, bytes):
        return Entry.decode(value)
    return Statement.from_fields(Fields(value, name))


def _body(entry: Entry, table: Charter) -> Body | None:
    """Return the body of an entry at that table; None if it has no form, or is of another table.

    An entry of no form exposes its writer in the record of its table (R9).
    """
    try:
        body = Body.decode(entry.body, table.deck)
    except Malformed:
        return None
    return body if body.place.table_id == table.table_id else None


def _two_statements(one: Statement, other: Statement) -> tuple[str, Sentence] | None:
    same = same_number(one.continues, other.continues)
    if same and other.key == one.key and other.charter != one.charter:
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
    # Suppose that the continuation starts at a fork, after entry 40, and the signer abandons the
    # end of their own record, after entry 43. Then their entry 42 contradicts nothing.
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
