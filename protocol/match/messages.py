"""Messages about the tables of a match: wishes, proposals and signatures for a continuation.

Wire form: `spec/messages.md`.
"""

from enum import IntEnum
from typing import ClassVar, Self

from attrs import evolve, field, frozen

from protocol.charter import CHARTER_LIMIT, SIGNED_LIMIT, Member
from protocol.codec import Encodable, Fields, encode
from protocol.entries import ENTRY_LIMIT
from protocol.errors import Malformed
from protocol.hashing import DOMAIN
from protocol.names import is_clean_name
from protocol.place import HEIGHT_LIMIT
from protocol.signing import KEY_BYTES, SIGNATURE_BYTES, Signer, is_signed

MOST_CANDIDATES = 4
"""Candidates who may wait at one node for a seat to be given to them."""

_DIGEST_BYTES = 32
_STANCE_LABEL = f"{DOMAIN}/stance".encode()
_PROPOSAL_LABEL = f"{DOMAIN}/proposal".encode()


@frozen
class Candidates:
    """The candidates who wait at the sender's node for a seat to be given to them."""

    kind: ClassVar[str] = "candidates"
    members: tuple[Member, ...]

    def fields(self) -> tuple[Encodable, ...]:
        return ([member.fields() for member in self.members],)

    @classmethod
    def from_fields(cls, fields: Fields) -> Self:
        members = tuple(map(Member.from_fields, fields.take_each("candidates", MOST_CANDIDATES)))
        if not all(is_clean_name(member.signed_name) for member in members):
            raise Malformed("A name is not in its clean form.")
        return cls(members)


class WishKind(IntEnum):
    """The ways to go on without a player who is missing, as members wish for them."""

    WAIT = 0
    OPPONENT = 1
    PERSON = 2
    END = 3
    TOGETHER = 4
    """All go on, with everybody who is there: a signature was given that leads nowhere."""


@frozen
class Wish:
    """The wish of a member for the seats of those who are missing.

    `person` is the key of the candidate who is to have the seat, empty for every other kind.
    """

    kind: WishKind
    person: bytes = b""

    def fields(self) -> Encodable:
        return (self.kind, self.person)

    @classmethod
    def from_fields(cls, fields: Fields) -> Self:
        """Return the message in these fields. Raises Malformed."""
        kind = WishKind(fields.take_int("wish", 0, max(WishKind)))
        person = fields.take_bytes("person", most=KEY_BYTES)
        fields.end()
        if len(person) != (KEY_BYTES if kind is WishKind.PERSON else 0):
            raise Malformed("A wish names a person, or it does not.")
        return cls(kind, person)


NO_WISH = Wish(WishKind.WAIT)


@frozen
class Stance:
    """The stance of the holder of `key` towards a continuation.

    It is their wish, the table id of the continuation that they accept (empty for none), and the
    highest attempt that they have signed. Of two the one with the higher `number` counts. It binds
    nobody; the signature lets others pass it on.
    """

    kind: ClassVar[str] = "stance"
    key: bytes
    number: int
    wish: Wish
    accepts: bytes = field(repr=bytes.hex)
    attempt: int
    signature: bytes = field(default=b"", repr=False)

    def signed(self, match_id: bytes, signer: Signer) -> Self:
        """Return the stance with the signature of its player."""
        return evolve(self, signature=signer(_STANCE_LABEL, self._said(match_id)))

    def is_signed(self, match_id: bytes) -> bool:
        """Return True if the holder of the key has signed it, at that match."""
        return is_signed(self.key, _STANCE_LABEL, self._said(match_id), self.signature)

    def _said(self, match_id: bytes) -> bytes:
        return encode((match_id, *self.fields()[:-1]))

    def fields(self) -> tuple[Encodable, ...]:
        wish = self.wish.fields()
        return (self.key, self.number, wish, self.accepts, self.attempt, self.signature)

    @classmethod
    def from_fields(cls, fields: Fields) -> Self:
        return cls(
            fields.take_bytes("key", exact=KEY_BYTES),
            fields.take_int("number", 0, HEIGHT_LIMIT),
            Wish.from_fields(fields.take_fields("wish")),
            fields.take_bytes("accepts", most=_DIGEST_BYTES),
            fields.take_int("attempt", 0, HEIGHT_LIMIT),
            fields.take_bytes("signature", exact=SIGNATURE_BYTES),
        )


@frozen
class Proposal:
    """The holder of `key`, who leads, proposes the continuation with that charter.

    Of two the one with the higher `number` counts. It binds nobody; the signature lets others pass
    it on.
    """

    kind: ClassVar[str] = "proposal"
    key: bytes
    number: int
    charter: bytes = field(repr=False)
    signature: bytes = field(default=b"", repr=False)

    def signed(self, signer: Signer) -> Self:
        """Return the proposal with the signature of its player."""
        return evolve(self, signature=signer(_PROPOSAL_LABEL, self._said))

    @property
    def is_signed(self) -> bool:
        """Return True if the holder of the key has signed it."""
        return is_signed(self.key, _PROPOSAL_LABEL, self._said, self.signature)

    @property
    def _said(self) -> bytes:
        return encode(self.fields()[:-1])

    def fields(self) -> tuple[Encodable, ...]:
        return (self.key, self.number, self.charter, self.signature)

    @classmethod
    def from_fields(cls, fields: Fields) -> Self:
        return cls(
            fields.take_bytes("key", exact=KEY_BYTES),
            fields.take_int("number", 0, HEIGHT_LIMIT),
            fields.take_bytes("charter", most=CHARTER_LIMIT),
            fields.take_bytes("signature", exact=SIGNATURE_BYTES),
        )


@frozen
class Signed:
    """One member's signature for a continuation, encoded as `protocol.evidence.Statement`.

    It is told to all, and passed on.
    """

    kind: ClassVar[str] = "signed"
    statement: bytes = field(repr=False)

    def fields(self) -> tuple[Encodable, ...]:
        return (self.statement,)

    @classmethod
    def from_fields(cls, fields: Fields) -> Self:
        return cls(fields.take_bytes("statement", most=ENTRY_LIMIT))


@frozen
class Continued:
    """A continuation that all its signers have signed: the match goes on at its table."""

    kind: ClassVar[str] = "continued"
    signed_charter: bytes = field(repr=False)

    def fields(self) -> tuple[Encodable, ...]:
        return (self.signed_charter,)

    @classmethod
    def from_fields(cls, fields: Fields) -> Self:
        return cls(fields.take_bytes("signed charter", most=SIGNED_LIMIT))


@frozen
class ShownEvidence:
    """Evidence that stands by itself (`protocol.evidence.Evidence`), for everybody to see."""

    kind: ClassVar[str] = "shown"
    evidence: bytes = field(repr=False)

    def fields(self) -> tuple[Encodable, ...]:
        return (self.evidence,)

    @classmethod
    def from_fields(cls, fields: Fields) -> Self:
        return cls(fields.take_bytes("evidence", most=ENTRY_LIMIT))


MatchTalk = Candidates | Stance | Proposal | Signed | Continued | ShownEvidence
"""Messages between members about the tables of a match."""
