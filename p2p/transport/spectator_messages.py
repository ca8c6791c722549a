"""Messages about spectators: who wants to watch, and who does. Wire form: `spec/messages.md`."""

from typing import ClassVar

from attrs import field, frozen

from p2p.transport.lobby_messages import take_name
from protocol.charter import MOST_MEMBERS
from protocol.place import HEIGHT_LIMIT
from protocol.signing import KEY_BYTES
from protocol.wire import Wire, an_int, at_most, each, exactly, take

MOST_SPECTATORS = 8
"""Spectators who may watch at one node of a table."""

MOST_SPECTATORS_TOLD = 48
"""Spectators at all nodes of a table."""

MOST_BARRED = 16
"""Spectators whom one player keeps from watching; whoever was barred first may come again then."""

HIGHEST_ASIDE = 65_535

_DIGEST_BYTES = 32


@frozen
class Spectator(Wire):
    """Somebody who watches: key and display name."""

    key: bytes = field(repr=bytes.hex, metadata=exactly("key", KEY_BYTES))
    name: str = field(metadata=take(take_name))


@frozen
class Watch(Wire):
    """The wish of somebody under that name to watch a match.

    The match has its id, empty for the one that is played there; of its record they have all up to
    the part number `height`. Said again now and then, with the number by then.
    """

    kind: ClassVar[str] = "watch"
    name: str = field(metadata=take(take_name))
    table_id: bytes = field(default=b"", metadata=at_most("table", _DIGEST_BYTES))
    height: int = field(default=0, metadata=an_int("height", 0, HEIGHT_LIMIT))


@frozen
class Watching(Wire):
    """The spectators, and the keys of those whom the sender has `barred`.

    A member tells the others of those at their own node; spectators are told of all who watch, now
    and then.
    """

    kind: ClassVar[str] = "watching"
    spectators: tuple[Spectator, ...] = field(
        metadata=each("spectators", Spectator, MOST_SPECTATORS_TOLD)
    )
    barred: tuple[bytes, ...] = field(
        default=(),
        metadata=take(lambda fields: fields.take_all_bytes("barred", MOST_BARRED, exact=KEY_BYTES)),
    )


@frozen
class Overheard(Wire):
    """An aside of member `player`, by its number, which a member tells spectators at their node."""

    kind: ClassVar[str] = "overheard"
    player: int = field(metadata=an_int("player", 0, MOST_MEMBERS - 1))
    code: int = field(metadata=an_int("code", 1, HIGHEST_ASIDE))
