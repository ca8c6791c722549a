"""Messages about spectators: who wants to watch, and who does. Wire form: `spec/messages.md`."""

from typing import ClassVar, Self

from attrs import field, frozen

from p2p.transport.lobby_messages import take_name
from protocol.charter import MOST_MEMBERS
from protocol.codec import Encodable, Fields
from protocol.place import HEIGHT_LIMIT
from protocol.signing import KEY_BYTES

MOST_SPECTATORS = 8
"""Spectators who may watch at one node of a table."""

MOST_SPECTATORS_TOLD = 48
"""Spectators at all nodes of a table."""

MOST_BARRED = 16
"""Spectators whom one player keeps from watching; whoever was barred first may come again then."""

HIGHEST_ASIDE = 65_535

_DIGEST_BYTES = 32


@frozen
class Spectator:
    """Somebody who watches: key and display name."""

    key: bytes = field(repr=bytes.hex)
    name: str

    def fields(self) -> Encodable:
        return (self.key, self.name)

    @classmethod
    def from_fields(cls, fields: Fields) -> Self:
        """Return the message in these fields. Raises Malformed."""
        spectator = cls(fields.take_bytes("key", exact=KEY_BYTES), take_name(fields))
        fields.end()
        return spectator


@frozen
class Watch:
    """The wish of somebody under that name to watch a match.

    The match has its id, empty for the one that is played there; of its record they have all up to
    the part number `height`. Said again now and then, with the number by then.
    """

    kind: ClassVar[str] = "watch"
    name: str
    table_id: bytes = b""
    height: int = 0

    def fields(self) -> tuple[Encodable, ...]:
        return (self.name, self.table_id, self.height)

    @classmethod
    def from_fields(cls, fields: Fields) -> Self:
        name = take_name(fields)
        table_id = fields.take_bytes("table", most=_DIGEST_BYTES)
        return cls(name, table_id, fields.take_int("height", 0, HEIGHT_LIMIT))


@frozen
class Watching:
    """The spectators, and the keys of those whom the sender has `barred`.

    A member tells the others of those at their own node; spectators are told of all who watch, now
    and then.
    """

    kind: ClassVar[str] = "watching"
    spectators: tuple[Spectator, ...]
    barred: tuple[bytes, ...] = ()

    def fields(self) -> tuple[Encodable, ...]:
        return ([spectator.fields() for spectator in self.spectators], list(self.barred))

    @classmethod
    def from_fields(cls, fields: Fields) -> Self:
        told = fields.take_each("spectators", MOST_SPECTATORS_TOLD)
        spectators = tuple(map(Spectator.from_fields, told))
        keys = Fields(fields.take_list("barred", MOST_BARRED), "barred")
        barred = (keys.take_bytes("key", exact=KEY_BYTES) for _ in range(len(keys)))
        return cls(spectators, tuple(barred))


@frozen
class Overheard:
    """An aside of member `player`, by its number, which a member tells spectators at their node."""

    kind: ClassVar[str] = "overheard"
    player: int
    code: int

    def fields(self) -> tuple[Encodable, ...]:
        return (self.player, self.code)

    @classmethod
    def from_fields(cls, fields: Fields) -> Self:
        player = fields.take_int("player", 0, MOST_MEMBERS - 1)
        return cls(player, fields.take_int("code", 1, HIGHEST_ASIDE))
