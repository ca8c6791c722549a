"""What a node announces on the local network, as an mDNS service (RFC 6762 and 6763).

A beacon is signed by a key that is made anew at each start of the program, so that nobody follows a
machine from network to network by it. It is a hint and no identity: whoever knows the host
recognises their key on the link, where the host shows that the beacon is theirs.
"""

from typing import Self

from attrs import field, frozen
from zeroconf import IPVersion, ServiceInfo

from p2p.discovery.address_book import host_of, is_for_others
from protocol.charter import MOST_MEMBERS, VERSION
from protocol.codec import encode
from protocol.errors import Malformed
from protocol.hashing import DOMAIN, digest
from protocol.names import clean_name
from protocol.signing import KEY_BYTES, SIGNATURE_BYTES, Signer, is_signed

SERVICE = "_sobremesa._tcp.local."

_MARK_BYTES = 8
"""Of the digest of a table, to tell that beacons are about the same one."""

_MOST_TEXT = 200
_MOST_ADDRESSES = 4

_MOST_MOMENT = 1 << 40  # seconds since 1970

_NAME_DIGITS = 24  # of the key, in the name of the service

_LABEL = f"{DOMAIN}/beacon".encode()


@frozen
class Beacon:
    """What a node announces: the `key` made for it, where it listens, and the table that it opens,
    if it does.

    `table` and `game` are "" for a node that only tells its own table's members where it is;
    `free` seats of `seats` are still to be had. `begun` is "" for a table that has not: otherwise
    a seat is to be taken over there, and all its nodes announce it under this mark. By `tag` the
    members of a table know each other (`tag_of`). `moment`, in seconds since 1970, orders the
    beacons of one key. `owner` is no part of it: the identity that was met there, "" if none was.
    """

    key: bytes = field(repr=bytes.hex)
    hosts: tuple[str, ...]
    port: int
    table: str = ""
    game: str = ""
    seats: int = 0
    free: int = 0
    begun: str = ""
    tag: str = ""
    moment: int = 0
    version: int = VERSION
    owner: bytes = field(default=b"", eq=False)

    @property
    def name(self) -> str:
        """The name of the service."""
        return f"{self.key.hex()[:_NAME_DIGITS]}.{SERVICE}"

    @property
    def _signed(self) -> bytes:
        """All but the addresses: those are the network's, and tried."""
        about = (self.table, self.game, self.seats, self.free, self.begun)
        return encode((self.version, self.port, *about, self.tag, self.moment))

    def to_service(self, signer: Signer) -> ServiceInfo:
        """The mDNS service, signed by the holder of the key."""
        text = {
            "v": f"{self.version}",
            "k": self.key.hex(),
            "t": self.table,
            "g": self.game,
            "s": f"{self.seats}",
            "f": f"{self.free}",
            "b": self.begun,
            "w": self.tag,
            "m": f"{self.moment}",
            "x": signer(_LABEL, self._signed).hex(),
        }
        # The scope of an address means nothing to others; they have their own.
        hosts = sorted({host.partition("%")[0] for host in self.hosts})
        return ServiceInfo(
            SERVICE,
            self.name,
            port=self.port,
            properties=text,
            parsed_addresses=hosts,
            server=f"sobremesa-{self.key.hex()[:_NAME_DIGITS]}.local.",
        )

    @classmethod
    def from_service(cls, service: ServiceInfo) -> Self:
        """Raises Malformed for a beacon that no node of ours sends."""
        text = service.properties
        key = _hex(_text(text, b"k"), KEY_BYTES)
        table = _text(text, b"t")
        game = _text(text, b"g")
        if table and clean_name(table) != table:
            raise Malformed("The name of a table is not in its clean form.")
        if game and not (game.isascii() and game.isalpha() and len(game) <= 32):
            raise Malformed("That is no name of a game.")
        begun, tag = _text(text, b"b"), _text(text, b"w")
        for mark in filter(None, (begun, tag)):
            _hex(mark, _MARK_BYTES)
        found = map(host_of, service.parsed_scoped_addresses(IPVersion.All))
        hosts = tuple(h for h in found if h is not None and _is_complete(h))[:_MOST_ADDRESSES]
        port = service.port
        if not hosts or port is None or not 0 < port < 1 << 16:
            raise Malformed("A beacon says where its node listens.")
        seats, free = (_number(_text(text, name)) for name in (b"s", b"f"))
        version = _number(_text(text, b"v"), 1 << 32)
        moment = _number(_text(text, b"m"), _MOST_MOMENT)
        beacon = cls(key, hosts, port, table, game, seats, free, begun, tag, moment, version)
        signature = _hex(_text(text, b"x"), SIGNATURE_BYTES)
        if service.name.lower() != beacon.name or not is_signed(
            key, _LABEL, beacon._signed, signature
        ):
            raise Malformed("A beacon is named after its key, and signed with it.")
        return beacon


def _is_complete(host: str) -> bool:
    """A link-local address without its scope leads nowhere."""
    return "%" in host or is_for_others(host)


def _text(properties: dict[bytes, bytes | None], name: bytes) -> str:
    value = properties.get(name) or b""
    if len(value) > _MOST_TEXT:
        raise Malformed("A field of a beacon is too long.")
    try:
        return value.decode()
    except UnicodeDecodeError as error:
        raise Malformed("A field of a beacon is no text.") from error


def _hex(text: str, size: int) -> bytes:
    try:
        data = bytes.fromhex(text)
    except ValueError as error:
        raise Malformed("A field of a beacon is not hexadecimal.") from error
    if len(data) != size or data.hex() != text:
        raise Malformed("A field of a beacon has {size} bytes.", size=size)
    return data


def _number(text: str, most: int = MOST_MEMBERS) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 14 and int(text) <= most):
        raise Malformed("A field of a beacon is no number.")
    return int(text)


def mark_of(table_id: bytes) -> str:
    """The mark of a table that has begun: it says nothing about the table."""
    return digest("mark", table_id)[:_MARK_BYTES].hex()


def tag_of(table_id: bytes, key: bytes) -> str:
    """By which the members of a table know the beacon of that member; to others it says nothing."""
    return digest("tag", table_id, key)[:_MARK_BYTES].hex()
