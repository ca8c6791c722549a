"""The messages about the record of a table between its members. Wire form: `spec/messages.md`."""

from typing import ClassVar, Self, TypeAlias

from attrs import field, frozen

from protocol.charter import MOST_MEMBERS, NONCE_BYTES
from protocol.codec import Encodable, Fields, encode
from protocol.entries import ENTRY_LIMIT
from protocol.hashing import DOMAIN
from protocol.place import HEIGHT_LIMIT
from protocol.signatures import SIGNATURE_BYTES, Signer, is_signed
from protocol.wire_fields import Wire, an_int, at_most, exactly

_DIGEST_BYTES = 32
_HEIGHT_LABEL = f"{DOMAIN}/height".encode()
_PRESENT_LABEL = f"{DOMAIN}/present".encode()
_SIGNATURE = exactly("signature", SIGNATURE_BYTES)
_PLAYER = an_int("player", 0, MOST_MEMBERS - 1)
_NONCE = exactly("nonce", NONCE_BYTES)


@frozen
class Acknowledgement(Wire):
    """A member's signed claim that their record has `height` entries, and ends with `head`.

    Before the first entry the head is the table id. Acknowledgements are signed so that others can
    pass them on.
    """

    height: int = field(metadata=an_int("height", 0, HEIGHT_LIMIT))
    head: bytes = field(repr=False, metadata=exactly("head", _DIGEST_BYTES))
    signature: bytes = field(repr=False, metadata=_SIGNATURE)

    @classmethod
    def make(cls, table_id: bytes, height: int, head: bytes, signer: Signer) -> Self:
        """Return the acknowledgement, signed by `signer`."""
        return cls(height, head, signer(_HEIGHT_LABEL, encode((table_id, height, head))))

    def is_signed_by(self, table_id: bytes, key: bytes) -> bool:
        """Return True if the holder of that key has signed this for that table."""
        said = encode((table_id, self.height, self.head))
        return is_signed(key, _HEIGHT_LABEL, said, self.signature)


@frozen
class Status:
    """The acknowledgement of the sender, and those of other members by their numbers.

    `direct` has each member whose newest entry came to the sender from that member first, before
    anybody else passed it on. A node sends its status after every change, and every five seconds.
    """

    kind: ClassVar[str] = "status"
    own: Acknowledgement
    others: tuple[tuple[int, Acknowledgement], ...] = ()
    direct: tuple[int, ...] = ()

    @property
    def height(self) -> int:
        return self.own.height

    @property
    def head(self) -> bytes:
        return self.own.head

    def fields(self) -> tuple[Encodable, ...]:
        others = [(player, *told.fields()) for player, told in self.others]
        return (*self.own.fields(), others, self.direct)

    @classmethod
    def from_fields(cls, fields: Fields) -> Self:
        own, others = Acknowledgement.from_fields(fields), []
        for item in fields.take_each("others", MOST_MEMBERS):
            player = item.take_int("player", 0, MOST_MEMBERS - 1)
            others.append((player, Acknowledgement.from_fields(item)))
            item.end()
        direct = fields.take_ints("direct", MOST_MEMBERS, 0, MOST_MEMBERS - 1)
        return cls(own, tuple(others), direct)


@frozen
class Probe(Wire):
    """The question of a player's node whether another node plays here with the same key.

    To answer, the other node has to sign the fresh `nonce`.
    """

    kind: ClassVar[str] = "probe"
    player: int = field(metadata=_PLAYER)
    nonce: bytes = field(repr=False, metadata=_NONCE)


@frozen
class Present(Wire):
    """The answer of another node that has that player's key: the nonce of the probe, signed."""

    kind: ClassVar[str] = "present"
    player: int = field(metadata=_PLAYER)
    nonce: bytes = field(repr=False, metadata=_NONCE)
    signature: bytes = field(repr=False, metadata=_SIGNATURE)

    @classmethod
    def make(cls, table_id: bytes, player: int, nonce: bytes, signer: Signer) -> Self:
        """Return the answer, signed by `signer`."""
        return cls(player, nonce, signer(_PRESENT_LABEL, encode((table_id, nonce))))

    def is_signed_by(self, table_id: bytes, key: bytes) -> bool:
        """Return True if the holder of that key has signed this answer for that table."""
        return is_signed(key, _PRESENT_LABEL, encode((table_id, self.nonce)), self.signature)


@frozen
class Carry(Wire):
    """An entry of the record at that height, written by the sender or by anybody else."""

    kind: ClassVar[str] = "carry"
    height: int = field(metadata=an_int("height", 1, HEIGHT_LIMIT))
    entry: bytes = field(repr=False, metadata=at_most("entry", ENTRY_LIMIT))


TableMessage: TypeAlias = Status | Probe | Present | Carry
"""A message about the record of a table, or about the keys with which nodes play there."""
