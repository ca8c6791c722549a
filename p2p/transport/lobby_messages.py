"""The messages of a lobby: the terms of a table, who sits there, and the charter to be signed.

Wire form: `spec/messages.md`.
"""

from typing import ClassVar, Self

from attrs import field, frozen

from engine.decks import Deck
from engine.errors import InvalidOption
from engine.game import Game
from engine.options import Options
from protocol.charter import (
    CHARTER_LIMIT,
    LEAST_GRACE,
    MOST_GRACE,
    MOST_MEMBERS,
    NONCE_BYTES,
    USUAL_GRACE,
    Member,
    check_grace,
    nonce_commitment,
    rules_fields,
    take_rules,
)
from protocol.codec import Encodable, Fields
from protocol.errors import Malformed
from protocol.hashing import DOMAIN
from protocol.names import MAX_LENGTH, is_clean_name
from protocol.signatures import KEY_BYTES, SIGNATURE_BYTES, Signer, is_signed
from protocol.wire_fields import Wire, a_bool, an_int, at_most, each, exactly, take, take_all

_ATTEMPTS_LIMIT = 1 << 32

WORK_BYTES = 4
"""Bytes of the proof of work that pays for a knock (`p2p.lobby.knock_price`)."""

PRICE_BYTES = 16
"""Bytes of the host's nonce in a `Price`, for which the work is done."""

MOST_KNOCKING = 12
"""The maximum number of players who knock at one table. It is higher than the number of seats,
because strangers knock, too.
"""

_ANNOUNCED_LABEL = f"{DOMAIN}/announced".encode()


def take_name(fields: Fields) -> str:
    """Return a name in its clean form. Raises Malformed."""
    name = fields.take_text("name", MAX_LENGTH)
    if not is_clean_name(name):
        raise Malformed("A name is not in its clean form.")
    return name


_SIGNATURE = exactly("signature", SIGNATURE_BYTES)
_KEY = exactly("key", KEY_BYTES)
_COMMITMENT = exactly("commitment", NONCE_BYTES)
_NUMBER = an_int("number", 1, _ATTEMPTS_LIMIT)
_NAME = take(take_name)


@frozen
class Terms:
    """The terms of a table. All of them except the title become part of the charter."""

    title: str
    game: Game
    options: Options
    seats: int
    grace: int = USUAL_GRACE
    """The time to wait for a missing player, in seconds."""
    spectators: bool = False
    """True if others may watch."""

    @property
    def deck(self) -> Deck:
        """The deck of a table with these terms."""
        return self.game.decks.at(self.options, self.seats)

    def check(self) -> None:
        """Check that somebody can play on these terms. Raises InvalidOption."""
        self.game.check_players(self.seats)
        check_grace(self.grace)

    def fields(self) -> tuple[Encodable, ...]:
        rules = rules_fields(self.game, self.options)
        return (self.title, *rules, self.seats, self.grace, self.spectators)

    @classmethod
    def from_fields(cls, fields: Fields) -> Self:
        """Return the terms in these fields. Raises Malformed if nobody can play on them."""
        title = take_name(fields)
        game, options = take_rules(fields)
        try:
            seats = fields.take_int("seats", 2, MOST_MEMBERS)
            grace = fields.take_int("grace", LEAST_GRACE, MOST_GRACE)
            terms = cls(title, game, options, seats, grace, fields.take_bool("spectators"))
            terms.check()
        except InvalidOption as error:
            raise Malformed(error.sentence) from error
        return terms


@frozen
class LobbyPlayer(Wire):
    """A player in a lobby: key, display name, and whether they are ready to sign the charter."""

    key: bytes = field(repr=bytes.hex, metadata=_KEY)
    name: str = field(metadata=_NAME)
    ready: bool = field(metadata=a_bool("ready"))


@frozen
class LobbyState:
    """The host's message about the table and the players at it.

    The message is sent after every change, and also now and then, so that the link does not fall
    silent.
    """

    kind: ClassVar[str] = "lobby"
    terms: Terms
    present: tuple[LobbyPlayer, ...]
    """The players who have a seat, the host first."""
    knocking: tuple[LobbyPlayer, ...] = ()
    """The players who have not been let in yet."""

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(player.name for player in self.present)

    @property
    def keys(self) -> frozenset[bytes]:
        return frozenset(player.key for player in self.present)

    @property
    def free(self) -> int:
        """Return the number of seats that nobody has taken yet."""
        return self.terms.seats - len(self.present)

    @property
    def is_ready(self) -> bool:
        """Return True if the table is full and all its players are ready."""
        return not self.free and all(player.ready for player in self.present)

    def fields(self) -> tuple[Encodable, ...]:
        players = (self.present, self.knocking)
        return (*self.terms.fields(), *([one.fields() for one in some] for some in players))

    @classmethod
    def from_fields(cls, fields: Fields) -> Self:
        """Return the message in these fields. Raises Malformed."""
        terms = Terms.from_fields(fields)
        present = take_all(fields, "present", LobbyPlayer, terms.seats)
        return cls(terms, present, take_all(fields, "knocking", LobbyPlayer, MOST_KNOCKING))


@frozen
class Announced(Wire):
    """The host's proof that a beacon is theirs: the beacon's key has signed the node's key.

    It is the first message of a host to a caller who names no table.
    """

    kind: ClassVar[str] = "announced"
    signature: bytes = field(repr=False, metadata=_SIGNATURE)

    @classmethod
    def make(cls, key: bytes, signer: Signer) -> Self:
        """Return the message of the node with `key`; `signer` signs with the beacon's key."""
        return cls(signer(_ANNOUNCED_LABEL, key))

    def is_by(self, beacon_key: bytes, key: bytes) -> bool:
        """Return True if the beacon's key has signed the node's `key`."""
        return is_signed(beacon_key, _ANNOUNCED_LABEL, key, self.signature)


@frozen
class Sit(Wire):
    """A guest's wish for a seat, with a display name and a commitment to their charter nonce.

    `work` pays for a knock; it is empty until the host has asked for a `Price`.
    """

    kind: ClassVar[str] = "sit"
    name: str = field(metadata=_NAME)
    commitment: bytes = field(repr=False, metadata=_COMMITMENT)
    work: bytes = field(default=b"", metadata=at_most("work", WORK_BYTES))


@frozen
class Price(Wire):
    """The host's demand that a guest who has to knock send a proof of work for `nonce`.

    The guest then sends `Sit` again, with the work (`p2p.lobby.knock_price`).
    """

    kind: ClassVar[str] = "price"
    nonce: bytes = field(metadata=exactly("nonce", PRICE_BYTES))


@frozen
class CommittedSeat(Wire):
    """A player of a charter that is about to be proposed, with a commitment to their nonce."""

    key: bytes = field(repr=bytes.hex, metadata=_KEY)
    name: str = field(metadata=_NAME)
    commitment: bytes = field(repr=False, metadata=_COMMITMENT)

    def is_taken_by(self, member: Member) -> bool:
        """Return True if that member has the seat's key, name and committed nonce."""
        theirs = (member.key, member.signed_name, nonce_commitment(member.key, member.nonce))
        return theirs == (self.key, self.name, self.commitment)


@frozen
class Seats(Wire):
    """The host's attempt `number` to conclude the charter.

    The message has all players in their order, each with a commitment. Each guest answers with
    `Reveal`.
    """

    kind: ClassVar[str] = "seats"
    number: int = field(metadata=_NUMBER)
    seats: tuple[CommittedSeat, ...] = field(metadata=each("seats", CommittedSeat, MOST_MEMBERS))


@frozen
class Reveal(Wire):
    """A guest's nonce for attempt `number`, and the commitment to another nonce.

    The other nonce is for the next attempt, in case this attempt fails.
    """

    kind: ClassVar[str] = "reveal"
    number: int = field(metadata=_NUMBER)
    nonce: bytes = field(repr=False, metadata=exactly("nonce", NONCE_BYTES))
    commitment: bytes = field(repr=False, metadata=_COMMITMENT)


@frozen
class Ready(Wire):
    """A guest's message that they are still there; `yes` is true if they are ready to sign."""

    kind: ClassVar[str] = "ready"
    yes: bool = field(metadata=a_bool("yes"))


@frozen
class Propose(Wire):
    """The host's proposal: the encoded charter, which the guests are to sign."""

    kind: ClassVar[str] = "propose"
    charter: bytes = field(metadata=at_most("charter", CHARTER_LIMIT))


@frozen
class Sign(Wire):
    """A guest's signature of the proposed charter."""

    kind: ClassVar[str] = "sign"
    signature: bytes = field(metadata=_SIGNATURE)
