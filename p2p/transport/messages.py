"""The messages between nodes: one a frame. Wire form: `spec/messages.md`."""

from typing import ClassVar, Self

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
from p2p.transport.match_messages import (
    Candidates,
    Continued,
    MatchTalk,
    Proposal,
    Shown,
    Signed,
    Stance,
)
from p2p.transport.spectator_messages import HIGHEST_ASIDE, Overheard, Watch, Watching
from p2p.version import MESSAGES
from protocol.charter import (
    MOST_MEMBERS,
    NONCE_BYTES,
    SIGNED_LIMIT,
)
from protocol.codec import Encodable, Fields, encode
from protocol.entries import ENTRY_LIMIT
from protocol.errors import Malformed
from protocol.hashing import DOMAIN
from protocol.place import HEIGHT_LIMIT
from protocol.signing import SIGNATURE_BYTES, Signer, is_signed

_DIGEST_BYTES = 32
_HEIGHT_LABEL = f"{DOMAIN}/height".encode()
_PRESENT_LABEL = f"{DOMAIN}/present".encode()


@frozen
class Hello:
    """The first message of whoever connects: about which table (empty for the lobby), and the
    port that its own node listens on, 0 for none.
    """

    kind: ClassVar[str] = "hello"
    table_id: bytes
    port: int
    version: int = MESSAGES

    def fields(self) -> tuple[Encodable, ...]:
        return (self.version, self.table_id, self.port)

    @classmethod
    def take(cls, fields: Fields) -> Self:
        """Raises Malformed, as all of these do."""
        version = fields.take_int("version", 0, 1 << 32)
        table_id = fields.take_bytes("table", most=_DIGEST_BYTES)
        return cls(table_id, fields.take_int("port", 0, 65535), version)


@frozen
class Goodbye:
    """A refusal, with the number of its reason (`p2p.refusals`; a newer version may have more). It
    is the last message of a link.
    """

    kind: ClassVar[str] = "goodbye"
    reason: int

    def fields(self) -> tuple[Encodable, ...]:
        return (self.reason,)

    @classmethod
    def take(cls, fields: Fields) -> Self:
        return cls(fields.take_int("reason", 1, HIGHEST_REASON))


@frozen
class Agreed:
    """The signed charter. The host sends it when all have signed, a node at the beginning of every
    link, for a member who has missed it.
    """

    kind: ClassVar[str] = "agreed"
    signed_charter: bytes

    def fields(self) -> tuple[Encodable, ...]:
        return (self.signed_charter,)

    @classmethod
    def take(cls, fields: Fields) -> Self:
        return cls(fields.take_bytes("signed charter", most=SIGNED_LIMIT))


@frozen
class Whereabouts:
    """Where the sender has found the members of the table, or has heard that they are."""

    kind: ClassVar[str] = "whereabouts"
    addresses: tuple[Address, ...]

    def fields(self) -> tuple[Encodable, ...]:
        return (address_fields(self.addresses),)

    @classmethod
    def take(cls, fields: Fields) -> Self:
        return cls(take_addresses(fields))


@frozen
class Acknowledgement:
    """A member says that their record goes as far as `height`, with that `head` (the table id
    before the first entry). The signature lets others pass it on.
    """

    height: int
    head: bytes = field(repr=False)
    signature: bytes = field(repr=False)

    @classmethod
    def make(cls, table_id: bytes, height: int, head: bytes, signer: Signer) -> Self:
        """Signed by the holder of the key."""
        return cls(height, head, signer(_HEIGHT_LABEL, encode((table_id, height, head))))

    def is_signed_by(self, table_id: bytes, key: bytes) -> bool:
        """Return True if the holder of that key has said so, of that table."""
        said = encode((table_id, self.height, self.head))
        return is_signed(key, _HEIGHT_LABEL, said, self.signature)

    def fields(self) -> tuple[Encodable, ...]:
        return (self.height, self.head, self.signature)

    @classmethod
    def take(cls, fields: Fields) -> Self:
        return cls(
            fields.take_int("height", 0, HEIGHT_LIMIT),
            fields.take_bytes("head", exact=_DIGEST_BYTES),
            fields.take_bytes("signature", exact=SIGNATURE_BYTES),
        )


@frozen
class Status:
    """The height of the sender's record, the heights that they know other members, by number, to
    have acknowledged, and the members whose newest entries have come to them `direct`, before
    anybody passed them on. Said on every change, and now and then as a heartbeat.
    """

    kind: ClassVar[str] = "status"
    own: Acknowledgement
    others: tuple[tuple[int, Acknowledgement], ...] = ()
    direct: tuple[int, ...] = ()

    @property
    def height(self) -> int:
        return self.own.height

    @property
    def head(self) -> bytes:
        return self.own.head

    def fields(self) -> tuple[Encodable, ...]:
        others = [(player, *told.fields()) for player, told in self.others]
        return (*self.own.fields(), others, self.direct)

    @classmethod
    def take(cls, fields: Fields) -> Self:
        own, others = Acknowledgement.take(fields), []
        for item in fields.take_each("others", MOST_MEMBERS):
            player = item.take_int("player", 0, MOST_MEMBERS - 1)
            others.append((player, Acknowledgement.take(item)))
            item.end()
        direct = fields.take_ints("direct", MOST_MEMBERS, 0, MOST_MEMBERS - 1)
        return cls(own, tuple(others), direct)


@frozen
class Probe:
    """The question of that player, by a fresh nonce, if another node plays here with their key."""

    kind: ClassVar[str] = "probe"
    player: int
    nonce: bytes = field(repr=False)

    def fields(self) -> tuple[Encodable, ...]:
        return (self.player, self.nonce)

    @classmethod
    def take(cls, fields: Fields) -> Self:
        player = fields.take_int("player", 0, MOST_MEMBERS - 1)
        return cls(player, fields.take_bytes("nonce", exact=NONCE_BYTES))


@frozen
class Present:
    """The answer of another node with that player's key: it has signed the nonce."""

    kind: ClassVar[str] = "present"
    player: int
    nonce: bytes = field(repr=False)
    signature: bytes = field(repr=False)

    @classmethod
    def make(cls, table_id: bytes, player: int, nonce: bytes, signer: Signer) -> Self:
        """Signed by the holder of the key."""
        return cls(player, nonce, signer(_PRESENT_LABEL, encode((table_id, nonce))))

    def is_signed_by(self, table_id: bytes, key: bytes) -> bool:
        """Return True if the holder of that key has answered, at that table."""
        return is_signed(key, _PRESENT_LABEL, encode((table_id, self.nonce)), self.signature)

    def fields(self) -> tuple[Encodable, ...]:
        return (self.player, self.nonce, self.signature)

    @classmethod
    def take(cls, fields: Fields) -> Self:
        player = fields.take_int("player", 0, MOST_MEMBERS - 1)
        nonce = fields.take_bytes("nonce", exact=NONCE_BYTES)
        return cls(player, nonce, fields.take_bytes("signature", exact=SIGNATURE_BYTES))


@frozen
class Carry:
    """An entry of the record, the sender's own or anybody's."""

    kind: ClassVar[str] = "carry"
    height: int
    entry: bytes = field(repr=False)

    def fields(self) -> tuple[Encodable, ...]:
        return (self.height, self.entry)

    @classmethod
    def take(cls, fields: Fields) -> Self:
        height = fields.take_int("height", 1, HEIGHT_LIMIT)
        return cls(height, fields.take_bytes("entry", most=ENTRY_LIMIT))


@frozen
class Aside:
    """The sender says something beside the game, by its number (`p2p.table.asides`; a newer version
    may have more). It is no part of the record, and is not passed on.
    """

    kind: ClassVar[str] = "aside"
    code: int

    def fields(self) -> tuple[Encodable, ...]:
        return (self.code,)

    @classmethod
    def take(cls, fields: Fields) -> Self:
        return cls(fields.take_int("code", 1, HIGHEST_ASIDE))


@frozen
class Noted:
    """Said to somebody who asks for a seat at a table that waits for a player who is silent: they
    are noted, and the players decide. Said again now and then.
    """

    kind: ClassVar[str] = "noted"

    def fields(self) -> tuple[Encodable, ...]:
        return ()

    @classmethod
    def take(cls, _: Fields) -> Self:
        return cls()


Talk = MatchTalk | Watching
"""Messages that members tell each other again and again, beside the record."""

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

_MESSAGES: dict[str, type[Message]] = {
    message.kind: message
    for message in (
        Hello,
        Goodbye,
        Announced,
        Price,
        Sit,
        LobbyState,
        Ready,
        Seats,
        Reveal,
        Propose,
        Sign,
        Agreed,
        Whereabouts,
        Status,
        Probe,
        Present,
        Carry,
        Aside,
        Noted,
        Candidates,
        Stance,
        Proposal,
        Signed,
        Continued,
        Shown,
        Watch,
        Watching,
        Overheard,
    )
}


def pack(message: Message) -> bytes:
    """The frame of a message."""
    return encode((message.kind, *message.fields()))


def unpack(frame: bytes) -> Message:
    """The message in a frame. Raises Malformed."""
    fields = Fields.decode(frame, "message", limit=FRAME_LIMIT)
    kind = fields.take_text("kind", 16)
    if kind not in _MESSAGES:
        raise Malformed("There is no message {kind!r}.", kind=kind)
    message = _MESSAGES[kind].take(fields)
    fields.end()
    return message
