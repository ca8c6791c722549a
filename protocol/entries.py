"""Entries of the record: what a player signs, and how its bytes look.

An entry is `[body, signature]`; the body is `[version, table id, height, previous, writer, kind,
content]`. The signature covers the body's bytes as they were received. Wire form: `spec/wire.md`.
"""

from typing import ClassVar, Self

from attrs import frozen

from engine.decks import Deck
from engine.moves import Move
from protocol.charter import MOST_MEMBERS, VERSION
from protocol.codec import Encodable, Fields, encode
from protocol.errors import Malformed
from protocol.group import SIZE
from protocol.hashing import digest
from protocol.move_codec import MOST_CARDS, move_fields, take_move
from protocol.signing import SIGNATURE_BYTES, Signer, is_signed

ENTRY_LIMIT = 64 * 1024
"""Bytes of the longest entry; a shuffle of 108 cards has a third of it."""

BODY_LIMIT = ENTRY_LIMIT - 128
MOST_PROOFS = 8
MOST_POINTS = 1 << 30

_LABEL = b"entry"


@frozen
class ShuffleContent:
    """A locked and shuffled deck: the encoded outputs, the unlock key U, and the proof."""

    kind: ClassVar[str] = "shuffle"
    outputs: bytes
    unlock_key: bytes
    proof: bytes

    def fields(self) -> Encodable:
        return (self.outputs, self.unlock_key, self.proof)

    @classmethod
    def take(cls, fields: Fields, _: Deck) -> Self:
        return cls(
            fields.take_bytes("outputs", most=MOST_CARDS * SIZE),
            fields.take_bytes("unlock key", exact=SIZE),
            fields.take_bytes("proof", most=ENTRY_LIMIT),
        )


@frozen
class UnlockContent:
    """The writer's lock taken off the cards of an order: the shares in the order's order, and one
    proof for each deck that they come from.
    """

    kind: ClassVar[str] = "unlock"
    shares: tuple[bytes, ...]
    proofs: tuple[bytes, ...]

    def fields(self) -> Encodable:
        return (self.shares, self.proofs)

    @classmethod
    def take(cls, fields: Fields, _: Deck) -> Self:
        return cls(fields.take_all_bytes("shares", MOST_CARDS, exact=SIZE), _take_proofs(fields))


@frozen
class MoveContent:
    """A move of the game, with proofs that its cards are what it says (one a deck)."""

    kind: ClassVar[str] = "move"
    move: Move
    proofs: tuple[bytes, ...]

    def fields(self) -> Encodable:
        return (move_fields(self.move), self.proofs)

    @classmethod
    def take(cls, fields: Fields, deck: Deck) -> Self:
        return cls(take_move(fields.take_fields("move"), deck), _take_proofs(fields))


@frozen
class OpenContent:
    """What is left in the writer's hand: card numbers in the order of its slots, with proofs."""

    kind: ClassVar[str] = "open"
    cards: tuple[int, ...]
    proofs: tuple[bytes, ...]

    def fields(self) -> Encodable:
        return (self.cards, self.proofs)

    @classmethod
    def take(cls, fields: Fields, deck: Deck) -> Self:
        cards = fields.take_ints("cards", MOST_CARDS, 0, len(deck) - 1)
        return cls(cards, _take_proofs(fields))


@frozen
class CloseContent:
    """The writer signs a counted round: its number, and the points of the sides in it."""

    kind: ClassVar[str] = "close"
    round_number: int
    points: tuple[int, ...]

    def fields(self) -> Encodable:
        return (self.round_number, self.points)

    @classmethod
    def take(cls, fields: Fields, _: Deck) -> Self:
        round_number = fields.take_int("round", 1, 1 << 32)
        return cls(
            round_number,
            fields.take_ints("points", MOST_MEMBERS, -MOST_POINTS, MOST_POINTS),
        )


Content = ShuffleContent | UnlockContent | MoveContent | OpenContent | CloseContent

_CONTENTS: dict[str, type[Content]] = {
    content.kind: content
    for content in (ShuffleContent, UnlockContent, MoveContent, OpenContent, CloseContent)
}


def _take_proofs(fields: Fields) -> tuple[bytes, ...]:
    items = fields.take_list("proofs", MOST_PROOFS)
    proofs = Fields(items, "proofs")
    return tuple(proofs.take_bytes("proof", most=1024) for _ in items)


@frozen
class Body:
    """What is signed. `previous` is the head before, `writer` the number of the player."""

    table_id: bytes
    height: int
    previous: bytes
    writer: int
    content: Content

    def encode(self) -> bytes:
        return encode(
            (
                VERSION,
                self.table_id,
                self.height,
                self.previous,
                self.writer,
                self.content.kind,
                self.content.fields(),
            )
        )

    @classmethod
    def decode(cls, data: bytes, deck: Deck) -> "Body":
        """Raises Malformed."""
        fields = Fields.decode(data, "entry", limit=BODY_LIMIT)
        if fields.take_int("version", 0, 1 << 32) != VERSION:
            raise Malformed("The entry is of another version of the protocol.")
        table_id = fields.take_bytes("table", exact=32)
        height = fields.take_int("height", 1, 1 << 32)
        previous = fields.take_bytes("previous", exact=32)
        writer = fields.take_int("writer", 0, MOST_MEMBERS - 1)
        kind = fields.take_text("kind", 16)
        if kind not in _CONTENTS:
            raise Malformed(f"There is no entry of kind {kind!r}.")
        inner = fields.take_fields("content")
        content = _CONTENTS[kind].take(inner, deck)
        inner.end()
        fields.end()
        return cls(table_id, height, previous, writer, content)


@frozen
class Entry:
    """A signed body, as bytes. Its head is over the body alone: a second signature by the same
    writer over the same body makes no second entry.
    """

    body: bytes
    signature: bytes

    @classmethod
    def sign(cls, body: Body, signer: Signer) -> "Entry":
        encoded = body.encode()
        return cls(encoded, signer(_LABEL, encoded))

    def encode(self) -> bytes:
        return encode((self.body, self.signature))

    @classmethod
    def decode(cls, data: bytes) -> "Entry":
        """Raises Malformed. The body is not looked at: first comes the signature."""
        fields = Fields.decode(data, "entry", limit=ENTRY_LIMIT)
        body = fields.take_bytes("body", most=BODY_LIMIT)
        signature = fields.take_bytes("signature", exact=SIGNATURE_BYTES)
        fields.end()
        return cls(body, signature)

    def is_signed_by(self, key: bytes) -> bool:
        return is_signed(key, _LABEL, self.body, self.signature)

    @property
    def head(self) -> bytes:
        """32 bytes that stand for this entry and all before it."""
        return digest("entry", self.body)
