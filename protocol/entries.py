"""Entries of the record: their contents, their signatures and their bytes.

An entry is `[body, signature]`; the body is `[table id, height, previous, writer, kind, content]`.
The signature covers the body's bytes as they were received. Bytes: `spec/format.md`, 3.

Contents tell some things that players know from the rules: a shuffle names its cards, an unlocking
the players who get the cards, and an opening its slots; a closing tells if the match is over. So a
program that does not know the rules can check the locks and proofs.
"""

from typing import ClassVar, Self, get_args

from attrs import field, frozen

from engine.decks import Deck
from engine.moves import Move
from engine.slots import Shown, Slot
from protocol.codec import Encodable, Fields, encode
from protocol.continues import MOST_POINTS
from protocol.errors import Malformed
from protocol.group import SIZE
from protocol.hashing import DOMAIN, digest
from protocol.move_codec import SLOT_LIMIT, move_fields, shown_fields, take_move, take_shown
from protocol.place import HEIGHT_LIMIT, Place
from protocol.signatures import SIGNATURE_BYTES, Signer, is_signed
from protocol.wire_fields import Wire, an_int, take, take_all

ENTRY_LIMIT = 64 * 1024
"""The most bytes of an entry. A shuffle of 108 cards takes a quarter of them, one of 270 cards two
thirds.
"""

BODY_LIMIT = ENTRY_LIMIT - 128  # signature and headers take 70 bytes of the rest
PLAYER_LIMIT = 255
"""The highest number of a player that can be encoded. No table has so many players."""

_LABEL = f"{DOMAIN}/entry".encode()
_PROOF_BYTES = 2 * SIZE


@frozen
class ShuffleContent:
    """The cards of a deal, locked and shuffled."""

    kind: ClassVar[str] = "shuffle"
    first: Slot
    """The first slot of the deal."""
    cards: tuple[int, ...] = field(repr=False)
    """The numbers of the cards, in the order before the first shuffle."""
    outputs: bytes = field(repr=False)
    """The encoded cards after this shuffle."""
    unlock_key: bytes = field(repr=bytes.hex)
    """The unlock key U of the writer's lock."""
    proof: bytes = field(repr=False)

    def fields(self) -> Encodable:
        return (self.first, self.cards, self.outputs, self.unlock_key, self.proof)

    @classmethod
    def from_fields(cls, fields: Fields, deck: Deck) -> Self:
        """Return the content in `fields`. Raises Malformed."""
        return cls(
            Slot(fields.take_int("first slot", 0, SLOT_LIMIT)),
            fields.take_ints("cards", len(deck), 0, len(deck) - 1),
            fields.take_bytes("outputs", most=len(deck) * SIZE),
            fields.take_bytes("unlock key", exact=SIZE),
            fields.take_bytes("proof", most=ENTRY_LIMIT),
        )


@frozen
class Given(Wire):
    """A slot whose card goes to the hand of `player`, or, for None, face up on the table."""

    slot: Slot = field(metadata=an_int("slot", 0, SLOT_LIMIT))
    player: int | None = field(
        metadata=take(lambda fields: fields.take_optional_int("player", 0, PLAYER_LIMIT))
    )


@frozen
class UnlockContent:
    """The writer's lock, taken off the cards that are given to others."""

    kind: ClassVar[str] = "unlock"
    gives: tuple[Given, ...]
    """All cards that are given."""
    shares: tuple[bytes, ...] = field(repr=False)
    """For each card that the writer does not get, its point without the writer's lock."""
    proofs: tuple[bytes, ...] = field(repr=False)
    """One proof for each deal of these cards."""

    def fields(self) -> Encodable:
        return ([given.fields() for given in self.gives], self.shares, self.proofs)

    @classmethod
    def from_fields(cls, fields: Fields, deck: Deck) -> Self:
        return cls(
            take_all(fields, "gives", Given, len(deck)),
            fields.take_all_bytes("shares", len(deck), exact=SIZE),
            _take_proofs(fields, deck),
        )


@frozen
class MoveContent:
    """A move of the game, with proofs of the faces of its cards: one for each deal."""

    kind: ClassVar[str] = "move"
    move: Move
    proofs: tuple[bytes, ...] = field(repr=False)

    def fields(self) -> Encodable:
        return (move_fields(self.move), self.proofs)

    @classmethod
    def from_fields(cls, fields: Fields, deck: Deck) -> Self:
        return cls(take_move(fields.take_fields("move"), deck), _take_proofs(fields, deck))


@frozen
class OpenContent:
    """All cards left in the writer's hand, with proofs of their faces: one for each deal."""

    kind: ClassVar[str] = "open"
    cards: tuple[Shown, ...]
    proofs: tuple[bytes, ...] = field(repr=False)

    def fields(self) -> Encodable:
        return (shown_fields(self.cards), self.proofs)

    @classmethod
    def from_fields(cls, fields: Fields, deck: Deck) -> Self:
        return cls(take_shown(fields, deck), _take_proofs(fields, deck))


@frozen
class CloseContent:
    """The writer's signature under a counted round."""

    kind: ClassVar[str] = "close"
    round_number: int
    points: tuple[int, ...]
    """The points of each side in that round."""
    last: bool
    """True if the match is over with that round."""

    def fields(self) -> Encodable:
        return (self.round_number, self.points, self.last)

    @classmethod
    def from_fields(cls, fields: Fields, _: Deck) -> Self:
        return cls(
            fields.take_int("round", 1, HEIGHT_LIMIT),
            fields.take_ints("points", PLAYER_LIMIT, -MOST_POINTS, MOST_POINTS),
            fields.take_bool("last"),
        )


Content = ShuffleContent | UnlockContent | MoveContent | OpenContent | CloseContent

CONTENTS: dict[str, type[Content]] = {content.kind: content for content in get_args(Content)}
"""The contents, by kind."""


def _take_proofs(fields: Fields, deck: Deck) -> tuple[bytes, ...]:
    return fields.take_all_bytes("proofs", len(deck), exact=_PROOF_BYTES)


def place_of(body: bytes) -> Place:
    """Return the place that an encoded body names. Raises Malformed.

    Nothing else in the body is read: an entry of another table can be about another game.
    """
    return Place.from_fields(Fields.decode(body, "entry", limit=BODY_LIMIT))


def kind_of(body: bytes) -> str | None:
    """Return the kind of entry that an encoded body names; None if it names none."""
    try:
        fields = Fields.decode(body, "entry", limit=BODY_LIMIT)
        Place.from_fields(fields)
        fields.take("writer")
        return fields.take_text("kind", 16)
    except Malformed:
        return None


def is_second_entry(body: bytes, other: bytes) -> bool:
    """Return True if two bodies by one player, of one table and height, expose that player (R8).

    An unlocking beside an entry that continues another head exposes nobody. For example, an honest
    player unlocks a card in entry 8, and a power cut erases entries 7 and 8 from that player's
    disk. Then a cheat shows the player another entry 7, which asks the player for a move. The
    player writes that move, honestly, as a second entry 8.

    Raises Malformed if a body names no place.
    """
    has_unlocking = UnlockContent.kind in (kind_of(body), kind_of(other))
    is_fork = place_of(body).previous != place_of(other).previous
    return body != other and not (has_unlocking and is_fork)


@frozen
class Body:
    """The signed part of an entry. `writer` is the number of the player who writes it."""

    place: Place
    writer: int
    content: Content

    def encode(self) -> bytes:
        content = self.content
        return encode((*self.place.fields(), self.writer, content.kind, content.fields()))

    @classmethod
    def decode(cls, data: bytes, deck: Deck) -> "Body":
        """Return the body that `data` encodes. Raises Malformed."""
        fields = Fields.decode(data, "entry", limit=BODY_LIMIT)
        place = Place.from_fields(fields)
        writer = fields.take_int("writer", 0, PLAYER_LIMIT)
        kind = fields.take_text("kind", 16)
        if kind not in CONTENTS:
            raise Malformed("There is no entry of kind {kind!r}.", kind=kind)
        inner = fields.take_fields("content")
        content = CONTENTS[kind].from_fields(inner, deck)
        inner.end()
        fields.end()
        return cls(place, writer, content)


@frozen
class Entry:
    """An encoded body with its signature.

    The head is the digest of the body alone. So a second signature by the same writer for the same
    body makes no second entry.
    """

    body: bytes = field(repr=False)
    signature: bytes = field(repr=bytes.hex)

    @classmethod
    def sign(cls, body: bytes, signer: Signer) -> "Entry":
        """Return the entry with that encoded body."""
        return cls(body, signer(_LABEL, body))

    def encode(self) -> bytes:
        return encode((self.body, self.signature))

    @classmethod
    def decode(cls, data: bytes) -> "Entry":
        """Return the entry in `data`. Raises Malformed.

        The body is not decoded, for its signature has to be checked first.
        """
        fields = Fields.decode(data, "entry", limit=ENTRY_LIMIT)
        body = fields.take_bytes("body", most=BODY_LIMIT)
        signature = fields.take_bytes("signature", exact=SIGNATURE_BYTES)
        fields.end()
        return cls(body, signature)

    def is_signed_by(self, key: bytes) -> bool:
        """Return True if the holder of `key` has signed the entry."""
        return is_signed(key, _LABEL, self.body, self.signature)

    @property
    def head(self) -> bytes:
        """The digest, 32 bytes, of this entry and all before it."""
        return digest("entry", self.body)


def is_entry_of(data: bytes, key: bytes) -> bool:
    """Return True if `data` is an entry that the holder of `key` has signed."""
    try:
        return Entry.decode(data).is_signed_by(key)
    except Malformed:
        return False
