"""What there is to know in a lobby: the terms on which a table is opened, and who sits there."""

from typing import ClassVar, Self

from attrs import field, frozen

from engine.errors import InvalidOption
from engine.games import Game
from engine.options import Options
from protocol.charter import (
    MOST_GRACE,
    MOST_MEMBERS,
    USUAL_GRACE,
    check_grace,
    rules_fields,
    take_rules,
)
from protocol.codec import Encodable, Fields
from protocol.errors import Malformed
from protocol.names import MAX_LENGTH, is_clean_name
from protocol.signing import KEY_BYTES


@frozen
class Terms:
    """What a table is opened for. All of it but the `title` comes into the charter; `grace` is in
    seconds.
    """

    title: str
    game: Game
    options: Options
    seats: int
    grace: int = USUAL_GRACE

    def check(self) -> None:
        """Raises InvalidOption for terms on which nobody can play."""
        self.game.check_players(self.seats)
        check_grace(self.grace)

    def fields(self) -> tuple[Encodable, ...]:
        return (self.title, *rules_fields(self.game, self.options), self.seats, self.grace)

    @classmethod
    def take(cls, fields: Fields) -> Self:
        """Raises Malformed for terms on which nobody can play."""
        title = take_name(fields)
        game, options = take_rules(fields)
        try:
            seats = fields.take_int("seats", 2, MOST_MEMBERS)
            terms = cls(title, game, options, seats, fields.take_int("grace", 0, MOST_GRACE))
            terms.check()
        except InvalidOption as error:
            raise Malformed(error.sentence) from error
        return terms


@frozen
class Sitter:
    """Who sits in a lobby, and whether the charter may be signed as far as he is concerned."""

    key: bytes = field(repr=bytes.hex)
    name: str
    ready: bool

    def fields(self) -> Encodable:
        return (self.key, self.name, self.ready)

    @classmethod
    def take(cls, fields: Fields) -> Self:
        """Raises Malformed."""
        key = fields.take_bytes("key", exact=KEY_BYTES)
        sitter = cls(key, take_name(fields), fields.take_bool("ready"))
        fields.end()
        return sitter


@frozen
class Gathering:
    """The host tells on what terms one plays, and who is `present`, the host first. Said on every
    change, and now and then so that the link does not fall silent.
    """

    kind: ClassVar[str] = "gathering"
    terms: Terms
    present: tuple[Sitter, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(sitter.name for sitter in self.present)

    @property
    def keys(self) -> frozenset[bytes]:
        return frozenset(sitter.key for sitter in self.present)

    @property
    def free(self) -> int:
        """Seats that are still to be had."""
        return self.terms.seats - len(self.present)

    @property
    def is_ready(self) -> bool:
        """The table is full, and nobody wants to wait."""
        return not self.free and all(sitter.ready for sitter in self.present)

    def fields(self) -> tuple[Encodable, ...]:
        return (*self.terms.fields(), [sitter.fields() for sitter in self.present])

    @classmethod
    def take(cls, fields: Fields) -> Self:
        """Raises Malformed."""
        terms = Terms.take(fields)
        present = tuple(map(Sitter.take, fields.take_each("present", terms.seats)))
        return cls(terms, present)


def take_name(fields: Fields) -> str:
    """A name in its clean form. Raises Malformed."""
    name = fields.take_text("name", MAX_LENGTH)
    if not is_clean_name(name):
        raise Malformed("A name is not in its clean form.")
    return name
