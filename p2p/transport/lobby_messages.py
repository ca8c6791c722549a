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
from protocol.signing import KEY_BYTES, SIGNATURE_BYTES, Signer, is_signed
from protocol.wire import Wire, a_bool, an_int, at_most, each, exactly, inner, take

_ATTEMPTS_LIMIT = 1 << 32

WORK_BYTES = 4
"""The size of the work that pays for a knock."""

PRICE_BYTES = 16
"""The size of the nonce for which it does."""

MOST_KNOCKING = 12
"""The most who wait at one table to be let in: more than seats, since strangers knock, too."""

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
    """The terms of a table.

    All of them but the `title` come into the charter; `grace` is in seconds. With `spectators`,
    others may watch.
    """

    title: str
    game: Game
    options: Options
    seats: int
    grace: int = USUAL_GRACE
    spectators: bool = False

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
        """Return the terms in these fields. Raises Malformed for some on which nobody can play."""
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
    """The host tells on what terms one plays, who is `present`, and who is `knocking`.

    Of those who are present the host is the first; who knocks was not let in yet. Said on every
    change, and now and then so that the link does not fall silent.
    """

    kind: ClassVar[str] = "lobby"
    terms: Terms
    present: tuple[LobbyPlayer, ...]
    knocking: tuple[LobbyPlayer, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(player.name for player in self.present)

    @property
    def keys(self) -> frozenset[bytes]:
        return frozenset(player.key for player in self.present)

    @property
    def free(self) -> int:
        """Return the number of seats that are still to be had."""
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
        present, knocking = (
            tuple(inner(LobbyPlayer, one) for one in fields.take_each(name, most))
            for name, most in (("present", terms.seats), ("knocking", MOST_KNOCKING))
        )
        return cls(terms, present, knocking)


@frozen
class Announced(Wire):
    """The host shows that the beacon is theirs: the beacon's key has signed the key of the node.

    The first message of a host to whoever asks about no table yet.
    """

    kind: ClassVar[str] = "announced"
    signature: bytes = field(repr=False, metadata=_SIGNATURE)

    @classmethod
    def make(cls, key: bytes, signer: Signer) -> Self:
        """Return the message of the node with that key, signed by the holder of the beacon's."""
        return cls(signer(_ANNOUNCED_LABEL, key))

    def is_by(self, beacon_key: bytes, key: bytes) -> bool:
        """Return True if the holder of the beacon's key has signed that node's."""
        return is_signed(beacon_key, _ANNOUNCED_LABEL, key, self.signature)


@frozen
class Sit(Wire):
    """A guest wants a seat, with a display name and a commitment to their nonce in the charter.

    `work` pays for a knock; it is empty where no price is known.
    """

    kind: ClassVar[str] = "sit"
    name: str = field(metadata=_NAME)
    commitment: bytes = field(repr=False, metadata=_COMMITMENT)
    work: bytes = field(default=b"", metadata=at_most("work", WORK_BYTES))


@frozen
class Price(Wire):
    """The host asks whoever has to knock for the work that belongs to that nonce.

    They say `sit` again with it (`p2p.lobby.price`).
    """

    kind: ClassVar[str] = "price"
    nonce: bytes = field(metadata=exactly("nonce", PRICE_BYTES))


@frozen
class CommittedSeat(Wire):
    """A player in the charter that is about to be proposed: its nonce is only committed to."""

    key: bytes = field(repr=bytes.hex, metadata=_KEY)
    name: str = field(metadata=_NAME)
    commitment: bytes = field(repr=False, metadata=_COMMITMENT)

    def is_taken_by(self, member: Member) -> bool:
        """Return True if that member has the seat's key and name, and the nonce committed to."""
        theirs = (member.key, member.signed_name, nonce_commitment(member.key, member.nonce))
        return theirs == (self.key, self.name, self.commitment)


@frozen
class Seats(Wire):
    """The host's attempt `number` to conclude the charter.

    It has all players in their order, each with a commitment. Whoever is in it reveals now.
    """

    kind: ClassVar[str] = "seats"
    number: int = field(metadata=_NUMBER)
    seats: tuple[CommittedSeat, ...] = field(metadata=each("seats", CommittedSeat, MOST_MEMBERS))


@frozen
class Reveal(Wire):
    """A guest's nonce for attempt `number`, and the commitment to the next one.

    That one is for the case that this attempt comes to nothing.
    """

    kind: ClassVar[str] = "reveal"
    number: int = field(metadata=_NUMBER)
    nonce: bytes = field(repr=False, metadata=exactly("nonce", NONCE_BYTES))
    commitment: bytes = field(repr=False, metadata=_COMMITMENT)


@frozen
class Ready(Wire):
    """A guest is still there, and the charter may be signed now (`yes`) or not yet."""

    kind: ClassVar[str] = "ready"
    yes: bool = field(metadata=a_bool("yes"))


@frozen
class Propose(Wire):
    """The host proposes the encoded charter, which the guests are to sign."""

    kind: ClassVar[str] = "propose"
    charter: bytes = field(metadata=at_most("charter", CHARTER_LIMIT))


@frozen
class Sign(Wire):
    """A guest signs the proposed charter."""

    kind: ClassVar[str] = "sign"
    signature: bytes = field(metadata=_SIGNATURE)
