"""What is said of spectators: who wants to watch, and who does. Wire form: `spec/wire.md`."""

from typing import ClassVar, Self

from attrs import field, frozen

from p2p.transport.lobby_messages import take_name
from protocol.codec import Encodable, Fields
from protocol.entries import HEIGHT_LIMIT
from protocol.signing import KEY_BYTES

MOST_SPECTATORS = 8
"""Who may watch at one node of a table."""

MOST_SPECTATORS_TOLD = 48
"""At all nodes of a table."""

_DIGEST_BYTES = 32


@frozen
class Spectator:
    """Somebody who watches: key and display name."""

    key: bytes = field(repr=bytes.hex)
    name: str

    def fields(self) -> Encodable:
        return (self.key, self.name)

    @classmethod
    def take(cls, fields: Fields) -> Self:
        """Raises Malformed."""
        spectator = cls(fields.take_bytes("key", exact=KEY_BYTES), take_name(fields))
        fields.end()
        return spectator


@frozen
class Watch:
    """Somebody under that name wants to watch at a table (empty: at the one that is played there),
    and has its record up to `height`. Said again now and then, with the height by then.
    """

    kind: ClassVar[str] = "watch"
    name: str
    table_id: bytes = b""
    height: int = 0

    def fields(self) -> tuple[Encodable, ...]:
        return (self.name, self.table_id, self.height)

    @classmethod
    def take(cls, fields: Fields) -> Self:
        name = take_name(fields)
        table_id = fields.take_bytes("table", most=_DIGEST_BYTES)
        return cls(name, table_id, fields.take_int("height", 0, HEIGHT_LIMIT))


@frozen
class Watching:
    """Who watches: a member tells the others of those at their own node; spectators are told of
    all, now and then.
    """

    kind: ClassVar[str] = "watching"
    spectators: tuple[Spectator, ...]

    def fields(self) -> tuple[Encodable, ...]:
        return ([spectator.fields() for spectator in self.spectators],)

    @classmethod
    def take(cls, fields: Fields) -> Self:
        return cls(tuple(map(Spectator.take, fields.take_each("spectators", MOST_SPECTATORS_TOLD))))
