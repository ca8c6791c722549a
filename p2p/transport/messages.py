"""The messages between nodes, one in each frame. Wire form: `spec/messages.md`."""

from typing import ClassVar, Self, get_args

from attrs import field, frozen

from p2p.discovery.address_book import Address, address_fields, take_addresses
from p2p.refusals import HIGHEST_REASON
from p2p.transport.frames import FRAME_LIMIT
from p2p.transport.lobby_messages import (
    Announced,
    LobbyState,
    Price,
    Propose,
    Ready,
    Reveal,
    Seats,
    Sign,
    Sit,
)
from p2p.transport.spectator_messages import HIGHEST_ASIDE, Overheard, Watch, Watching
from p2p.version import MESSAGES
from protocol.charter import SIGNED_LIMIT
from protocol.codec import Encodable, Fields, encode
from protocol.errors import Malformed
from protocol.match.messages import MatchTalk
from protocol.table.messages import Carry, Present, Probe, Status
from protocol.wire_fields import Wire, an_int, at_most

_DIGEST_BYTES = 32


@frozen
class Hello:
    """The first message of a caller, with the id of a table (empty if they name none).

    `port` is the port at which the caller's own node listens, 0 if it does not listen.
    """

    kind: ClassVar[str] = "hello"
    table_id: bytes
    port: int
    version: int = MESSAGES

    def fields(self) -> tuple[Encodable, ...]:
        return (self.version, self.table_id, self.port)

    @classmethod
    def from_fields(cls, fields: Fields) -> Self:
        """Return the message in these fields. Raises Malformed."""
        version = fields.take_int("version", 0, 1 << 32)
        table_id = fields.take_bytes("table", most=_DIGEST_BYTES)
        return cls(table_id, fields.take_int("port", 0, 65535), version)


@frozen
class Goodbye(Wire):
    """A refusal, with the number of its reason; it is the last message of a link.

    A newer version may have more reasons than `p2p.refusals`.
    """

    kind: ClassVar[str] = "goodbye"
    reason: int = field(metadata=an_int("reason", 1, HIGHEST_REASON))


@frozen
class Agreed(Wire):
    """The signed charter.

    The host sends it when all have signed. Later it is a node's first message to everybody who
    calls about the table, in case they are members who did not get it, and to visitors.
    """

    kind: ClassVar[str] = "agreed"
    signed_charter: bytes = field(metadata=at_most("signed charter", SIGNED_LIMIT))


@frozen
class Whereabouts:
    """The addresses of the table's members that the sender has found, or heard of."""

    kind: ClassVar[str] = "whereabouts"
    addresses: tuple[Address, ...]

    def fields(self) -> tuple[Encodable, ...]:
        return (address_fields(self.addresses),)

    @classmethod
    def from_fields(cls, fields: Fields) -> Self:
        return cls(take_addresses(fields))


@frozen
class Aside(Wire):
    """An aside of the sender, by its number (`p2p.table.asides`).

    A newer version may have more numbers. Asides are no part of the record, and nobody passes them
    on.
    """

    kind: ClassVar[str] = "aside"
    code: int = field(metadata=an_int("code", 1, HIGHEST_ASIDE))


@frozen
class Noted(Wire):
    """The answer to somebody who asks for the seat of a silent player: they are a candidate now.

    The players will decide who gets the seat. The message is repeated now and then.
    """

    kind: ClassVar[str] = "noted"


Talk = MatchTalk | Watching
"""Messages beside the record that members send to each other again and again."""

Message = (
    Hello
    | Goodbye
    | Announced
    | Price
    | Sit
    | LobbyState
    | Ready
    | Seats
    | Reveal
    | Propose
    | Sign
    | Agreed
    | Whereabouts
    | Status
    | Probe
    | Present
    | Carry
    | Aside
    | Noted
    | Watch
    | Overheard
    | Talk
)

_MESSAGES: dict[str, type[Message]] = {message.kind: message for message in get_args(Message)}


def pack(message: Message) -> bytes:
    """Return the frame of a message."""
    return encode((message.kind, *message.fields()))


def unpack(frame: bytes) -> Message:
    """Return the message in a frame. Raises Malformed."""
    fields = Fields.decode(frame, "message", limit=FRAME_LIMIT)
    kind = fields.take_text("kind", 16)
    if kind not in _MESSAGES:
        raise Malformed("There is no message {kind!r}.", kind=kind)
    message = _MESSAGES[kind].from_fields(fields)
    fields.end()
    return message
