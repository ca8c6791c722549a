"""What nodes say to each other over a link: one message a frame. Wire form: `spec/wire.md`."""

from typing import ClassVar, Self

from attrs import field, frozen

from p2p.frames import FRAME_LIMIT
from protocol.charter import CHARTER_LIMIT, MOST_MEMBERS, NONCE_BYTES, VERSION
from protocol.codec import Encodable, Fields, encode
from protocol.entries import ENTRY_LIMIT
from protocol.errors import Malformed
from protocol.names import is_clean_name
from protocol.signing import KEY_BYTES, SIGNATURE_BYTES

SENTENCE_LIMIT = 200
_ADDRESS_LIMIT = 64


@frozen
class Hello:
    """The first message of whoever connects: about which table; empty for the lobby."""

    kind: ClassVar[str] = "hello"
    table_id: bytes
    version: int = VERSION

    def fields(self) -> tuple[Encodable, ...]:
        return (self.version, self.table_id)

    @classmethod
    def take(cls, fields: Fields) -> Self:
        version = fields.take_int("version", 0, 1 << 32)
        return cls(fields.take_bytes("table", most=32), version)


@frozen
class Goodbye:
    """No, with a sentence for people; the link ends."""

    kind: ClassVar[str] = "goodbye"
    sentence: str

    def fields(self) -> tuple[Encodable, ...]:
        return (self.sentence,)

    @classmethod
    def take(cls, fields: Fields) -> Self:
        sentence = fields.take_text("sentence", SENTENCE_LIMIT)
        if not sentence.isprintable():
            raise Malformed("A goodbye is one printable sentence.")
        return cls(sentence)


@frozen
class Sit:
    """A guest wants a seat: display name, fresh nonce, and the port that its node listens on."""

    kind: ClassVar[str] = "sit"
    name: str
    nonce: bytes = field(repr=False)
    port: int

    def fields(self) -> tuple[Encodable, ...]:
        return (self.name, self.nonce, self.port)

    @classmethod
    def take(cls, fields: Fields) -> Self:
        name = fields.take_text("name", 128)
        if not is_clean_name(name):
            raise Malformed("That name is not in its clean form.")
        nonce = fields.take_bytes("nonce", exact=NONCE_BYTES)
        return cls(name, nonce, fields.take_int("port", 1, 65535))


@frozen
class Seated:
    """The host tells who sits in the lobby, by name, and how many seats there are."""

    kind: ClassVar[str] = "seated"
    names: tuple[str, ...]
    seats: int

    def fields(self) -> tuple[Encodable, ...]:
        return (self.names, self.seats)

    @classmethod
    def take(cls, fields: Fields) -> Self:
        items = Fields(fields.take_list("names", MOST_MEMBERS), "names")
        names = tuple(items.take_text("name", 128) for _ in range(len(items)))
        if not all(map(is_clean_name, names)):
            raise Malformed("A name is not in its clean form.")
        return cls(names, fields.take_int("seats", 2, MOST_MEMBERS))


@frozen
class Propose:
    """The host puts the charter to be signed on the table."""

    kind: ClassVar[str] = "propose"
    charter: bytes

    def fields(self) -> tuple[Encodable, ...]:
        return (self.charter,)

    @classmethod
    def take(cls, fields: Fields) -> Self:
        return cls(fields.take_bytes("charter", most=CHARTER_LIMIT))


@frozen
class Sign:
    """A guest signs the proposed charter."""

    kind: ClassVar[str] = "sign"
    signature: bytes

    def fields(self) -> tuple[Encodable, ...]:
        return (self.signature,)

    @classmethod
    def take(cls, fields: Fields) -> Self:
        return cls(fields.take_bytes("signature", exact=SIGNATURE_BYTES))


@frozen
class Address:
    """Where the node with that key listens."""

    key: bytes
    host: str
    port: int


@frozen
class Agreed:
    """All have signed: the signed charter, and where everybody is found."""

    kind: ClassVar[str] = "agreed"
    signed_charter: bytes
    addresses: tuple[Address, ...]

    def fields(self) -> tuple[Encodable, ...]:
        return (self.signed_charter, [(a.key, a.host, a.port) for a in self.addresses])

    @classmethod
    def take(cls, fields: Fields) -> Self:
        charter = fields.take_bytes("signed charter", most=CHARTER_LIMIT + 1024)
        items = fields.take_each("addresses", MOST_MEMBERS)
        return cls(charter, tuple(map(_take_address, items)))


def _take_address(fields: Fields) -> Address:
    key = fields.take_bytes("key", exact=KEY_BYTES)
    host = fields.take_text("host", _ADDRESS_LIMIT)
    if not host.isprintable():
        raise Malformed("An address is printable.")
    port = fields.take_int("port", 1, 65535)
    fields.end()
    return Address(key, host, port)


@frozen
class Status:
    """How far the sender's record goes. Said on every change, and now and then as a heartbeat."""

    kind: ClassVar[str] = "status"
    height: int

    def fields(self) -> tuple[Encodable, ...]:
        return (self.height,)

    @classmethod
    def take(cls, fields: Fields) -> Self:
        return cls(fields.take_int("height", 0, 1 << 32))


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
        height = fields.take_int("height", 1, 1 << 32)
        return cls(height, fields.take_bytes("entry", most=ENTRY_LIMIT))


Message = Hello | Goodbye | Sit | Seated | Propose | Sign | Agreed | Status | Carry

_MESSAGES: dict[str, type[Message]] = {
    message.kind: message
    for message in (Hello, Goodbye, Sit, Seated, Propose, Sign, Agreed, Status, Carry)
}


def pack(message: Message) -> bytes:
    """The frame of a message."""
    return encode((message.kind, *message.fields()))


def unpack(frame: bytes) -> Message:
    """The message in a frame. Raises Malformed."""
    fields = Fields.decode(frame, "message", limit=FRAME_LIMIT)
    kind = fields.take_text("kind", 16)
    if kind not in _MESSAGES:
        raise Malformed(f"There is no message {kind!r}.")
    message = _MESSAGES[kind].take(fields)
    fields.end()
    return message
