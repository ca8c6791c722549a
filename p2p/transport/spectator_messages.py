"""The messages to and about spectators. Wire form: `spec/messages.md`."""

from typing import ClassVar

from attrs import field, frozen

from p2p.transport.lobby_messages import take_name
from protocol.charter import MOST_MEMBERS
from protocol.place import HEIGHT_LIMIT
from protocol.signatures import KEY_BYTES
from protocol.wire_fields import Wire, an_int, at_most, each, exactly, take

MOST_SPECTATORS = 8
"""The maximum number of spectators at one node of a table."""

MOST_SPECTATORS_TOLD = 48
"""The maximum number of spectators at all nodes of a table together."""

MOST_BARRED = 16
"""The maximum number of spectators whom one player bars at a time. If they bar one more, the first
spectator whom they barred may come again.
"""

HIGHEST_ASIDE = 65_535

_DIGEST_BYTES = 32


@frozen
class Spectator(Wire):
    """A spectator: public key and display name."""

    key: bytes = field(repr=bytes.hex, metadata=exactly("key", KEY_BYTES))
    name: str = field(metadata=take(take_name))


@frozen
class Watch(Wire):
    """A visitor's wish to watch a match.

    The visitor repeats the message now and then, each time with a new `height`.
    """

    kind: ClassVar[str] = "watch"
    name: str = field(metadata=take(take_name))
    """The name under which the visitor watches."""
    table_id: bytes = field(default=b"", metadata=at_most("table", _DIGEST_BYTES))
    """The match's id; empty if the visitor asks for the match that the node is playing."""
    height: int = field(default=0, metadata=an_int("height", 0, HEIGHT_LIMIT))
    """The number of the newest part of the match's record that the visitor has."""


@frozen
class Watching(Wire):
    """A list of spectators, and the keys of the spectators whom the sender has `barred`.

    A member sends the other members the list of those who watch at the member's own node. A
    spectator gets, now and then, the list of all who watch.
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
    """An aside of member `player`, passed on to a spectator; `code` is the aside's number."""

    kind: ClassVar[str] = "overheard"
    player: int = field(metadata=an_int("player", 0, MOST_MEMBERS - 1))
    code: int = field(metadata=an_int("code", 1, HIGHEST_ASIDE))
