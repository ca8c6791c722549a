"""The announcement of a node on the local network, as an mDNS service (RFC 6762 and 6763).

A beacon is signed by a key that is made anew at each start of the program, so that nobody can
follow a machine from network to network. A beacon is only a hint. The host's identity is proved on
the link, where the host also shows that the beacon is theirs.
"""

from collections.abc import Awaitable, Callable
from typing import Self

from attrs import evolve, field, frozen
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from zeroconf import IPVersion, ServiceInfo

from p2p.discovery.address_book import host_of, is_for_others
from p2p.version import MESSAGES
from protocol.charter import MOST_MEMBERS
from protocol.codec import encode
from protocol.errors import Malformed
from protocol.hashing import DOMAIN, digest
from protocol.names import clean_name
from protocol.signatures import KEY_BYTES, SIGNATURE_BYTES, Signer, is_signed, labelled

SERVICE = "_sobremesa._tcp.local."

_TAG_BYTES = 8

_MOST_TEXT = 250  # bytes of a field's value: name and value have at most 255 (RFC 6763, 6.1)

MOST_HOSTS = 6
"""Maximum number of addresses in one beacon."""

_MOST_MOMENT = 1 << 40  # seconds since 1970

_NAME_DIGITS = 24  # hexadecimal digits of the key that are in the name of the service

_LABEL = f"{DOMAIN}/beacon".encode()
_MARK_LABEL = f"{DOMAIN}/mark".encode()


@frozen
class Beacon:
    """The announcement of a node and its open table, if any."""

    key: bytes = field(repr=bytes.hex)
    """The key that the node made for its beacons."""
    hosts: tuple[str, ...]
    """The addresses of the node."""
    port: int
    table: str = ""
    """The title of the table; "" if the node announces none. Then the beacon only tells where the
    node is, for the other members of the table at which it plays.
    """
    game: str = ""
    """The name of the game; "" if no table is announced."""
    seats: int = 0
    """The number of seats."""
    free: int = 0
    """The number of seats that are not taken yet."""
    begun: str = ""
    """The mark of a table that has begun (`mark_of`), "" for another one. It is a public key, the
    same in the beacons of all nodes there. Such a table is announced if a seat is vacant, or if it
    can be watched.
    """
    voucher: str = ""
    """A signature by the mark's secret key, which proves that the node knows the table (`vouched`).
    """
    spectators: bool = False
    """True if spectators are admitted."""
    tag: str = ""
    """The text by which the members of a table recognise each other's beacons (`tag_of`)."""
    moment: int = 0
    """A time in seconds since 1970, which orders the beacons of one key."""
    version: int = MESSAGES
    owner: bytes = field(default=b"", eq=False)
    """The identity of the node that answered at the beacon's address; empty if none has answered
    yet. It is no part of the announcement.
    """

    @property
    def name(self) -> str:
        """Return the name of the service."""
        return f"{self.key.hex()[:_NAME_DIGITS]}.{SERVICE}"

    @property
    def _signed(self) -> bytes:
        """Return the bytes that the key signs: all that is announced."""
        about = (self.table, self.game, self.seats, self.free, self.begun, self.voucher)
        more = (self.spectators, self.tag, self.moment, self._addresses)
        return encode((self.version, self.port, *about, *more))

    @property
    def _addresses(self) -> tuple[str, ...]:
        """Return the addresses without their scopes, which mean nothing to other machines."""
        found = (host_of(_unscoped(host)) for host in self.hosts)
        return tuple(dict.fromkeys(host for host in found if host is not None))

    def to_service(self, signer: Signer) -> ServiceInfo:
        """Return the mDNS service; `signer` signs with the beacon's key."""
        # The short names are those of messages.md, 10.
        text = {
            "v": f"{self.version}",
            "k": self.key.hex(),
            "t": self.table,
            "g": self.game,
            "s": f"{self.seats}",
            "f": f"{self.free}",
            "b": self.begun,
            "y": self.voucher,
            "o": "1" if self.spectators else "",
            "w": self.tag,
            "m": f"{self.moment}",
            "a": ",".join(self._addresses),
            "x": signer(_LABEL, self._signed).hex(),
        }
        return ServiceInfo(
            SERVICE,
            self.name,
            port=self.port,
            properties=text,
            parsed_addresses=list(self._addresses),
            server=f"sobremesa-{self.key.hex()[:_NAME_DIGITS]}.local.",
        )

    @classmethod
    def from_service(cls, service: ServiceInfo) -> Self:
        """Return the beacon in a service. Raises Malformed if it is not a valid beacon."""
        text = service.properties
        key = _hex(_text(text, b"k"), KEY_BYTES)
        table = _text(text, b"t")
        game = _text(text, b"g")
        if table and clean_name(table) != table:
            raise Malformed("The name of a table is not in its clean form.")
        if game and not (game.isascii() and game.isalpha() and len(game) <= 32):
            raise Malformed("That is no name of a game.")
        begun, tag = _text(text, b"b"), _text(text, b"w")
        voucher = _text(text, b"y")
        if tag:
            _hex(tag, _TAG_BYTES)
        if (begun or voucher) and not is_signed(
            _hex(begun, KEY_BYTES), _MARK_LABEL, key, _hex(voucher, SIGNATURE_BYTES)
        ):
            raise Malformed("The voucher of a table that has begun is not valid.")
        signed = tuple(filter(None, _text(text, b"a").split(",")))
        hosts = _found(signed, service.parsed_scoped_addresses(IPVersion.All))
        port = service.port
        if not hosts or port is None or not 0 < port < 1 << 16:
            raise Malformed("A beacon does not say where its node listens.")
        seats, free = (_number(_text(text, name)) for name in (b"s", b"f"))
        version = _number(_text(text, b"v"), 1 << 32)
        moment = _number(_text(text, b"m"), _MOST_MOMENT)
        spectators = bool(_text(text, b"o") and _number(_text(text, b"o"), 1))
        about = (table, game, seats, free, begun, voucher, spectators, tag, moment, version)
        beacon = cls(key, signed, port, *about)
        signature = _hex(_text(text, b"x"), SIGNATURE_BYTES)
        if service.name.lower() != beacon.name or not is_signed(
            key, _LABEL, beacon._signed, signature
        ):
            raise Malformed("A beacon is not named after its key, or not signed with it.")
        # The signature is for all addresses; `hosts` leaves out those that mean nothing here.
        return evolve(beacon, hosts=hosts)

    def vouched(self, table_id: bytes) -> Self:
        """Return this beacon with the mark and the voucher of a table that has begun.

        Only somebody who knows the table's id, and so its record, can make the voucher.
        """
        key = _mark_key(table_id)
        voucher = key.sign(labelled(_MARK_LABEL, self.key)).hex()
        return evolve(self, begun=mark_of(table_id), voucher=voucher)


@frozen
class BeaconAnswer:
    """The key of a node that has proved that a beacon is its own, and the address of that node."""

    owner: bytes
    host: str


Call = Callable[[Beacon], Awaitable[BeaconAnswer | None]]
"""Function that calls the table of a beacon, and returns None if its node does not answer."""


def title_of(text: str) -> str:
    """Return the title of a table that a person has typed, in its clean form.

    Raises Malformed if it is no valid title, or if it has too many bytes to be announced. A short
    title can have too many bytes if it has many combining accents.
    """
    title = clean_name(text)
    size = len(title.encode())
    if size > _MOST_TEXT:
        raise Malformed(
            "That name of a table has too many accents: with them it has {size} bytes, and at most "
            "{most} can be announced.",
            size=size,
            most=_MOST_TEXT,
        )
    return title


def _unscoped(host: str) -> str:
    return host.partition("%")[0]


def _found(signed: tuple[str, ...], found: list[str]) -> tuple[str, ...]:
    """Return the signed addresses, in their order. Raises Malformed.

    A link-local address gets the scope that it has in `found`. If it is not there, it is left out.
    """
    if len(signed) > MOST_HOSTS or any(host_of(host) != host for host in signed):
        raise Malformed("A beacon has too many addresses, or one that is not in its usual form.")
    scoped = {_unscoped(host): host for host in found if "%" in host}
    hosts = (host if is_for_others(host) else scoped.get(host) for host in signed)
    return tuple(host for host in hosts if host is not None)


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
        raise Malformed("A field of a beacon does not have {size} bytes in hexadecimal.", size=size)
    return data


def _number(text: str, most: int = MOST_MEMBERS) -> int:
    # The length is checked before `int` reads the digits: the largest number, 2^40, has 13.
    if not (text.isascii() and text.isdigit() and len(text) < 14 and int(text) <= most):
        raise Malformed("A field of a beacon is no number.")
    return int(text)


def mark_of(table_id: bytes) -> str:
    """Return the mark of a table that has begun: a public key that reveals nothing of the table."""
    return _mark_key(table_id).public_key().public_bytes_raw().hex()


def _mark_key(table_id: bytes) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(digest("mark", table_id))


def tag_of(table_id: bytes, key: bytes, beacon_key: bytes) -> str:
    """Return the tag by which members of a table recognise the beacon of the member with `key`.

    The tag reveals nothing to others. It changes with the beacon's key.
    """
    return digest("tag", table_id, key, beacon_key)[:_TAG_BYTES].hex()
