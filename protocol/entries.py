"""Entries of the record: what a player signs, and how its bytes look.

An entry is `[body, signature]`; the body is `[table id, height, previous, writer, kind, content,
releases]`. The signature covers the body's bytes as they were received. Bytes: `spec/format.md`, 3.

The contents say more than the players need, who know from the rules what is due: a shuffle names
its cards, an unlocking who gets which, an opening its slots, a closing whether the match is over.
So the locks and proofs of a record can be checked by a program that does not know the rules.
"""

from collections.abc import Sequence
from typing import ClassVar, Self

from attrs import evolve, field, frozen

from engine.decks import Deck
from engine.moves import Move
from engine.slots import Shown, Slot
from protocol.charter import MOST_MEMBERS, Member
from protocol.codec import Encodable, Fields, encode
from protocol.errors import Malformed
from protocol.group import SIZE
from protocol.hashing import DOMAIN, digest
from protocol.move_codec import (
    SLOT_LIMIT,
    move_fields,
    shown_fields,
    take_move,
    take_shown,
)
from protocol.signing import SIGNATURE_BYTES, Signer, is_signed

ENTRY_LIMIT = 64 * 1024
"""Bytes of the longest entry; a shuffle of 108 cards has a quarter of it, one of 270 two thirds."""

BODY_LIMIT = ENTRY_LIMIT - 128
HEIGHT_LIMIT = 1 << 48
PLAYER_LIMIT = 255
"""The highest number of a player in any game. Who sits at the table, the charter says."""

_MOST_SIGNATURES = MOST_MEMBERS
MOST_POINTS = 1 << 30
MOST_RELEASES = 8
"""Of votes that one player has given since their last entry (clause 6.9 of `spec/record.md`)."""

VOTE_LIMIT = 2048
"""Bytes of the body of an absence: at most five members with their names."""

ACT_LIMIT = VOTE_LIMIT + 128

_LABEL = f"{DOMAIN}/entry".encode()
_ABSENCE = f"{DOMAIN}/absence".encode()
_REFUSAL = f"{DOMAIN}/refusal".encode()
_PROOF_BYTES = 2 * SIZE


@frozen
class ShuffleContent:
    """The cards of a deal, locked and shuffled: the first slot that they get, their numbers in
    the order in which the deal began, the encoded outputs, the unlock key U, and the proof.
    """

    kind: ClassVar[str] = "shuffle"
    first: Slot
    cards: tuple[int, ...] = field(repr=False)
    outputs: bytes = field(repr=False)
    unlock_key: bytes = field(repr=bytes.hex)
    proof: bytes = field(repr=False)

    def fields(self) -> Encodable:
        return (self.first, self.cards, self.outputs, self.unlock_key, self.proof)

    @classmethod
    def take(cls, fields: Fields, deck: Deck) -> Self:
        """Raises Malformed, as all of these do."""
        return cls(
            Slot(fields.take_int("first slot", 0, SLOT_LIMIT)),
            fields.take_ints("cards", len(deck), 0, len(deck) - 1),
            fields.take_bytes("outputs", most=len(deck) * SIZE),
            fields.take_bytes("unlock key", exact=SIZE),
            fields.take_bytes("proof", most=ENTRY_LIMIT),
        )


@frozen
class Given:
    """The card in `slot` goes to the hand of `player`, or face up on the table for None."""

    slot: Slot
    player: int | None

    def fields(self) -> Encodable:
        return (self.slot, self.player)

    @classmethod
    def take(cls, fields: Fields) -> Self:
        slot = Slot(fields.take_int("slot", 0, SLOT_LIMIT))
        given = cls(slot, fields.take_optional_int("player", 0, PLAYER_LIMIT))
        fields.end()
        return given


@frozen
class UnlockContent:
    """The writer's lock taken off cards that are given to others: all that is given, the share
    for each card that the writer does not get, and one proof for each deal that these are from.
    """

    kind: ClassVar[str] = "unlock"
    gives: tuple[Given, ...]
    shares: tuple[bytes, ...] = field(repr=False)
    proofs: tuple[bytes, ...] = field(repr=False)

    def fields(self) -> Encodable:
        return ([given.fields() for given in self.gives], self.shares, self.proofs)

    @classmethod
    def take(cls, fields: Fields, deck: Deck) -> Self:
        return cls(
            tuple(Given.take(item) for item in fields.take_each("gives", len(deck))),
            fields.take_all_bytes("shares", len(deck), exact=SIZE),
            _take_proofs(fields, deck),
        )


@frozen
class MoveContent:
    """A move of the game, with proofs that its cards are what it says (one a deal)."""

    kind: ClassVar[str] = "move"
    move: Move
    proofs: tuple[bytes, ...] = field(repr=False)

    def fields(self) -> Encodable:
        return (move_fields(self.move), self.proofs)

    @classmethod
    def take(cls, fields: Fields, deck: Deck) -> Self:
        return cls(take_move(fields.take_fields("move"), deck), _take_proofs(fields, deck))


@frozen
class OpenContent:
    """All that is left in the writer's hand, with proofs that it is that (one a deal)."""

    kind: ClassVar[str] = "open"
    cards: tuple[Shown, ...]
    proofs: tuple[bytes, ...] = field(repr=False)

    def fields(self) -> Encodable:
        return (shown_fields(self.cards), self.proofs)

    @classmethod
    def take(cls, fields: Fields, deck: Deck) -> Self:
        return cls(take_shown(fields, deck), _take_proofs(fields, deck))


@frozen
class CloseContent:
    """The writer signs a counted round: its number, the points of the sides in it, and whether
    it was the last.
    """

    kind: ClassVar[str] = "close"
    round_number: int
    points: tuple[int, ...]
    last: bool

    def fields(self) -> Encodable:
        return (self.round_number, self.points, self.last)

    @classmethod
    def take(cls, fields: Fields, _: Deck) -> Self:
        return cls(
            fields.take_int("round", 1, HEIGHT_LIMIT),
            fields.take_ints("points", PLAYER_LIMIT, -MOST_POINTS, MOST_POINTS),
            fields.take_bool("last"),
        )


@frozen
class AbsentContent:
    """All the others agree that `players` are absent. With as many `substitutes`, these take their
    seats in this order. What stands of the round: if hands are being `opening`, it does, and those
    of the absent stay closed; if it is `counted` already, what all would sign of it; otherwise it
    is void. Without substitutes the match ends here, but for an `opening`: then they keep their
    seats.
    """

    kind: ClassVar[str] = "absent"
    players: tuple[int, ...]
    substitutes: tuple[Member, ...] = ()
    opening: bool = False
    counted: CloseContent | None = None

    @property
    def ends(self) -> bool:
        """Whether the match ends with it before it is over."""
        return not self.substitutes and not self.opening

    @property
    def last(self) -> bool:
        """Whether the match is over with it."""
        return self.ends or (self.counted is not None and self.counted.last)

    def fields(self) -> Encodable:
        counted = None if self.counted is None else self.counted.fields()
        substitutes = [member.fields() for member in self.substitutes]
        return (self.players, substitutes, self.opening, counted)

    @classmethod
    def take(cls, fields: Fields, deck: Deck) -> Self:
        players = fields.take_ints("players", MOST_MEMBERS, 0, MOST_MEMBERS - 1)
        substitutes = map(Member.take, fields.take_each("substitutes", MOST_MEMBERS))
        content = cls(players, tuple(substitutes), fields.take_bool("opening"))
        counted = fields.take_optional_fields("counted")
        if counted is None:
            return content
        content = evolve(content, counted=CloseContent.take(counted, deck))
        counted.end()
        return content


Content = ShuffleContent | UnlockContent | MoveContent | OpenContent | CloseContent | AbsentContent

CONTENTS: dict[str, type[Content]] = {
    content.kind: content
    for content in (ShuffleContent, UnlockContent, MoveContent, OpenContent, CloseContent)
}
"""What one player writes, by kind."""

JOINT_CONTENTS: dict[str, type[Content]] = {AbsentContent.kind: AbsentContent}
"""What several players sign together."""


def _take_proofs(fields: Fields, deck: Deck) -> tuple[bytes, ...]:
    return fields.take_all_bytes("proofs", len(deck), exact=_PROOF_BYTES)


@frozen
class Place:
    """Where an entry belongs: its table, its height there, and the head that it continues."""

    table_id: bytes = field(repr=bytes.hex)
    height: int
    previous: bytes = field(repr=bytes.hex)

    def fields(self) -> tuple[Encodable, ...]:
        return (self.table_id, self.height, self.previous)

    @classmethod
    def take(cls, fields: Fields) -> Self:
        return cls(
            fields.take_bytes("table", exact=32),
            fields.take_int("height", 1, HEIGHT_LIMIT),
            fields.take_bytes("previous", exact=32),
        )

    @classmethod
    def of(cls, body: bytes) -> Self:
        """The place that an encoded body names; what it says there is not looked at.

        An entry of another table may be about other games, and is well formed nevertheless.
        Raises Malformed.
        """
        return cls.take(Fields.decode(body, "entry", limit=BODY_LIMIT))


@frozen
class Body:
    """What is signed. `writer` is the number of the player. `releases` are the encoded acts
    (`protocol.ballot`) that freed the writer from votes given since their last entry.
    """

    place: Place
    writer: int
    content: Content
    releases: tuple[bytes, ...] = ()

    def encode(self) -> bytes:
        content = self.content
        fields = (self.writer, content.kind, content.fields(), self.releases)
        return encode((*self.place.fields(), *fields))

    @classmethod
    def decode(cls, data: bytes, deck: Deck, *, joint: bool = False) -> "Body":
        """The body of an entry, or of a joint one, which has no releases. Raises Malformed."""
        contents = JOINT_CONTENTS if joint else CONTENTS
        fields = Fields.decode(data, "entry", limit=BODY_LIMIT)
        place = Place.take(fields)
        writer = fields.take_int("writer", 0, PLAYER_LIMIT)
        kind = fields.take_text("kind", 16)
        if kind not in contents:
            raise Malformed("There is no entry of kind {kind!r}.", kind=kind)
        inner = fields.take_fields("content")
        content = contents[kind].take(inner, deck)
        inner.end()
        most = 0 if joint else MOST_RELEASES
        releases = Fields(fields.take_list("releases", most), "releases")
        acts = tuple(
            releases.take_bytes(f"release {i}", most=ACT_LIMIT) for i in range(len(releases))
        )
        fields.end()
        return cls(place, writer, content, acts)


@frozen
class Entry:
    """A signed body, as bytes. Its head is over the body alone: a second signature by the same
    writer over the same body makes no second entry.

    An entry of kind "absent" is *joint*: `signature` is that of several players, one after the
    other, and for a use of its own, so that none of them is an entry by itself.
    """

    body: bytes = field(repr=False)
    signature: bytes = field(repr=bytes.hex)

    @classmethod
    def sign(cls, body: bytes, signer: Signer) -> "Entry":
        """The entry with that encoded body."""
        return cls(body, signer(_LABEL, body))

    def encode(self) -> bytes:
        return encode((self.body, self.signature))

    @classmethod
    def decode(cls, data: bytes) -> "Entry":
        """Raises Malformed. The body is not looked at: first comes the signature."""
        fields = Fields.decode(data, "entry", limit=ENTRY_LIMIT)
        body = fields.take_bytes("body", most=BODY_LIMIT)
        signature = fields.take_bytes("signature", most=_MOST_SIGNATURES * SIGNATURE_BYTES)
        fields.end()
        if not signature or len(signature) % SIGNATURE_BYTES:
            raise Malformed("A signature has {size} bytes.", size=SIGNATURE_BYTES)
        return cls(body, signature)

    @property
    def is_joint(self) -> bool:
        """Whether it has the signatures of several players."""
        return len(self.signature) > SIGNATURE_BYTES

    @staticmethod
    def vote(body: bytes, signer: Signer) -> bytes:
        """One player's signature for the joint entry with that encoded body."""
        return signer(_ABSENCE, body)

    @staticmethod
    def is_vote(body: bytes, key: bytes, signature: bytes) -> bool:
        """Whether the holder of `key` has made that signature for the joint entry."""
        return is_signed(key, _ABSENCE, body, signature)

    @staticmethod
    def refusal(body: bytes, signer: Signer) -> bytes:
        """One player's signature for the refusal with that encoded body."""
        return signer(_REFUSAL, body)

    @staticmethod
    def is_refusal(body: bytes, key: bytes, signature: bytes) -> bool:
        """Whether the holder of `key` has made that signature for the refusal."""
        return is_signed(key, _REFUSAL, body, signature)

    def is_signed_by_all(self, keys: Sequence[bytes]) -> bool:
        """Whether a joint entry has the signatures of the holders of these keys, in this order."""
        size = SIGNATURE_BYTES
        parts = [self.signature[i : i + size] for i in range(0, len(self.signature), size)]
        return len(parts) == len(keys) and all(
            self.is_vote(self.body, key, part) for key, part in zip(keys, parts, strict=True)
        )

    def is_signed_by(self, key: bytes) -> bool:
        return is_signed(key, _LABEL, self.body, self.signature)

    @property
    def head(self) -> bytes:
        """32 bytes that stand for this entry and all before it."""
        return digest("entry", self.body)


def is_joint(data: bytes) -> bool:
    """Whether these are the bytes of a joint entry; what is no entry at all is not."""
    try:
        return Entry.decode(data).is_joint
    except Malformed:
        return False


def is_entry_of(data: bytes, key: bytes) -> bool:
    """Whether these are the bytes of an entry that the holder of that key alone has signed."""
    try:
        return Entry.decode(data).is_signed_by(key)
    except Malformed:
        return False
