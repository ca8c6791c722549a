"""Messages about the tables of a match: wishes, proposals and signatures for a continuation.

Wire form: `spec/messages.md`.
"""

from enum import IntEnum
from typing import ClassVar, Self

from attrs import evolve, field, frozen

from protocol.charter import CHARTER_LIMIT, SIGNED_LIMIT, Member
from protocol.codec import Fields, encode
from protocol.entries import ENTRY_LIMIT
from protocol.errors import Malformed
from protocol.hashing import DOMAIN
from protocol.names import is_clean_name
from protocol.place import HEIGHT_LIMIT
from protocol.signatures import KEY_BYTES, SIGNATURE_BYTES, Signer, is_signed
from protocol.wire_fields import Wire, an_int, at_most, each, exactly, inner, take

MOST_CANDIDATES = 4
"""Maximum number of candidates who may wait at one node for a seat to be given to them."""

_DIGEST_BYTES = 32
_STANCE_LABEL = f"{DOMAIN}/stance".encode()
_PROPOSAL_LABEL = f"{DOMAIN}/proposal".encode()
_SIGNATURE = exactly("signature", SIGNATURE_BYTES)
_KEY = exactly("key", KEY_BYTES)
_NUMBER = an_int("number", 0, HEIGHT_LIMIT)


@frozen
class Candidates(Wire):
    """The candidates who wait at the sender's node for a seat to be given to them."""

    kind: ClassVar[str] = "candidates"
    members: tuple[Member, ...] = field(metadata=each("candidates", Member, MOST_CANDIDATES))

    @classmethod
    def from_fields(cls, fields: Fields) -> Self:
        candidates = super().from_fields(fields)
        if not all(is_clean_name(member.signed_name) for member in candidates.members):
            raise Malformed("A name is not in its clean form.")
        return candidates


class WishKind(IntEnum):
    """The wishes that a member can have when a player is missing."""

    WAIT = 0
    OPPONENT = 1
    """To give the seats to bots."""
    PERSON = 2
    """To give the seat to a candidate."""
    END = 3
    """To end the match."""
    TOGETHER = 4
    """To go on with all members, after some have signed a continuation and others have not."""


@frozen
class Wish(Wire):
    """The wish of a member for the seats of the missing players."""

    kind: WishKind = field(
        metadata=take(lambda fields: WishKind(fields.take_int("wish", 0, max(WishKind))))
    )
    person: bytes = field(default=b"", metadata=at_most("person", KEY_BYTES))
    """The key of the candidate who is to get the seat; empty unless the kind is PERSON."""

    @classmethod
    def from_fields(cls, fields: Fields) -> Self:
        wish = super().from_fields(fields)
        if len(wish.person) != (KEY_BYTES if wish.kind is WishKind.PERSON else 0):
            raise Malformed("A wish for a person must name one, and no other wish may name one.")
        return wish


NO_WISH = Wish(WishKind.WAIT)


@frozen
class Stance(Wire):
    """The stance of a member towards a continuation.

    A stance binds nobody; it is signed so that others can pass it on.
    """

    kind: ClassVar[str] = "stance"
    key: bytes = field(metadata=_KEY)
    """The member's key."""
    number: int = field(metadata=_NUMBER)
    """A number that makes this stance replace those of the key with lower numbers."""
    wish: Wish = field(metadata=take(lambda fields: inner(Wish, fields.take_fields("wish"))))
    accepts: bytes = field(repr=bytes.hex, metadata=at_most("accepts", _DIGEST_BYTES))
    """The table id of the continuation that the member accepts; empty for none."""
    signature: bytes = field(default=b"", repr=False, metadata=_SIGNATURE)

    def signed(self, match_id: bytes, signer: Signer) -> Self:
        """Return this stance, signed."""
        return evolve(self, signature=signer(_STANCE_LABEL, self._said(match_id)))

    def is_signed(self, match_id: bytes) -> bool:
        """Return True if the holder of `key` has signed this stance for that match."""
        return is_signed(self.key, _STANCE_LABEL, self._said(match_id), self.signature)

    def _said(self, match_id: bytes) -> bytes:
        # The last field is the signature itself.
        return encode((match_id, *self.fields()[:-1]))


@frozen
class Proposal(Wire):
    """A proposal of the leader for a continuation.

    A proposal binds nobody; it is signed so that others can pass it on.
    """

    kind: ClassVar[str] = "proposal"
    key: bytes = field(metadata=_KEY)
    """The leader's key."""
    number: int = field(metadata=_NUMBER)
    """A number that makes this proposal replace those of the key with lower numbers."""
    charter: bytes = field(repr=False, metadata=at_most("charter", CHARTER_LIMIT))
    """The encoded charter of the continuation."""
    signature: bytes = field(default=b"", repr=False, metadata=_SIGNATURE)

    def signed(self, signer: Signer) -> Self:
        """Return this proposal, signed."""
        return evolve(self, signature=signer(_PROPOSAL_LABEL, self._said))

    @property
    def is_signed(self) -> bool:
        """Return True if the holder of `key` has signed this proposal."""
        return is_signed(self.key, _PROPOSAL_LABEL, self._said, self.signature)

    @property
    def _said(self) -> bytes:
        # Unlike in a stance, the match id is not signed beside these: the charter has it.
        return encode(self.fields()[:-1])


@frozen
class Signed(Wire):
    """One member's signature for a continuation: an encoded `protocol.evidence.Statement`.

    Every node sends its own signature to all members, and passes on the signatures of others.
    """

    kind: ClassVar[str] = "signed"
    statement: bytes = field(repr=False, metadata=at_most("statement", ENTRY_LIMIT))


@frozen
class Continued(Wire):
    """A continuation that all its signers have signed: the match goes on at its table."""

    kind: ClassVar[str] = "continued"
    signed_charter: bytes = field(repr=False, metadata=at_most("signed charter", SIGNED_LIMIT))


@frozen
class ShownEvidence(Wire):
    """Evidence that needs no record to be checked: an encoded `protocol.evidence.Evidence`."""

    kind: ClassVar[str] = "shown"
    evidence: bytes = field(repr=False, metadata=at_most("evidence", ENTRY_LIMIT))


MatchTalk = Candidates | Stance | Proposal | Signed | Continued | ShownEvidence
"""Messages between members about the tables of a match."""
