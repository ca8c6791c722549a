"""Beacons: tables and players announce themselves on the local network (mDNS, RFC 6762 and 6763).

A beacon is a hint and no identity: anybody can send any. What is in it was cleaned when it was
decoded, and no more than a few are remembered.
"""

import logging
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager, suppress
from typing import NoReturn, Self

import trio
from attrs import define, evolve, field, frozen
from zeroconf import IPVersion, ServiceInfo

from p2p.background_task import beside
from p2p.discovery.address_book import Address, host_of, is_for_others
from p2p.discovery.interfaces import lan_addresses
from p2p.discovery.mdns import MDNS_ERRORS, Mdns
from protocol.charter import MOST_MEMBERS, VERSION
from protocol.errors import LocalError, Malformed
from protocol.hashing import digest
from protocol.names import clean_name
from protocol.signing import KEY_BYTES

_log = logging.getLogger(__name__)

SERVICE = "_sobremesa._tcp.local."

MOST_BEACONS = 64

MARK_BYTES = 8
"""Of the digest of a table, to tell that beacons are about the same one."""

_MOST_TEXT = 200
_MOST_ADDRESSES = 4

LOOK_SECONDS = 2.0
"""Between two looks at whether this machine has other addresses."""


class NoBeacon(LocalError):
    """Nothing can be announced or found here."""


@frozen
class Beacon:
    """What a node announces: its key, where it listens, and the table that it opens, if it does.

    `table` and `game` are "" for a node that only tells its own table's members where it is;
    `free` seats of `seats` are still to be had. `begun` is "" for a table that has not: otherwise
    a seat is to be taken over there, and all its nodes announce it under this mark.
    """

    key: bytes = field(repr=bytes.hex)
    hosts: tuple[str, ...]
    port: int
    table: str = ""
    game: str = ""
    seats: int = 0
    free: int = 0
    begun: str = ""
    version: int = VERSION

    @property
    def addresses(self) -> tuple[Address, ...]:
        return tuple(Address(self.key, host, self.port) for host in self.hosts)

    def to_service(self) -> ServiceInfo:
        """The mDNS service."""
        text = {
            "v": f"{self.version}",
            "k": self.key.hex(),
            "t": self.table,
            "g": self.game,
            "s": f"{self.seats}",
            "f": f"{self.free}",
            "b": self.begun,
        }
        # The scope of an address means nothing to others; they have their own.
        hosts = sorted({host.partition("%")[0] for host in self.hosts})
        name = f"{self.key.hex()[:24]}.{SERVICE}"
        return ServiceInfo(
            SERVICE,
            name,
            port=self.port,
            properties=text,
            parsed_addresses=hosts,
            server=f"sobremesa-{self.key.hex()[:24]}.local.",
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
        begun = _text(text, b"b")
        if begun:
            _hex(begun, MARK_BYTES)
        found = map(host_of, service.parsed_scoped_addresses(IPVersion.All))
        hosts = tuple(h for h in found if h is not None and _is_complete(h))[:_MOST_ADDRESSES]
        port = service.port
        if not hosts or port is None or not 0 < port < 1 << 16:
            raise Malformed("A beacon says where its node listens.")
        seats, free = (_number(_text(text, name)) for name in (b"s", b"f"))
        version = _number(_text(text, b"v"), 1 << 32)
        return cls(key, hosts, port, table, game, seats, free, begun, version)


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
        raise Malformed("A key or mark is hexadecimal.") from error
    if len(data) != size or data.hex() != text:
        raise Malformed("A key has {key} bytes, a mark {mark}.", key=KEY_BYTES, mark=MARK_BYTES)
    return data


def _number(text: str, most: int = MOST_MEMBERS) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 11 and int(text) <= most):
        raise Malformed("A field of a beacon is no number.")
    return int(text)


@define(eq=False)
class Beacons:
    """What is announced on the network, and one's own announcement. Made by `open_beacons`."""

    _mdns: Mdns
    _found: dict[str, Beacon] = field(factory=dict, init=False)
    _changed: trio.Event = field(factory=trio.Event, init=False)
    _announced: Beacon | None = field(default=None, init=False)
    _changing: trio.Lock = field(factory=trio.Lock, init=False)

    def __iter__(self) -> Iterator[Beacon]:
        return iter(tuple(self._found.values()))

    @property
    def tables(self) -> tuple[Beacon, ...]:
        """The open tables, by name; of one that has begun, one of its nodes."""
        tables = [beacon for beacon in self._found.values() if beacon.table]
        tables.sort(key=lambda beacon: (beacon.table, beacon.key))
        first = {beacon.begun or beacon.key.hex(): beacon for beacon in reversed(tables)}
        return tuple(beacon for beacon in tables if beacon in first.values())

    def of(self, keys: Iterable[bytes]) -> tuple[Address, ...]:
        """Where the nodes with these keys say that they are."""
        wanted = set(keys)
        beacons = (beacon for beacon in self._found.values() if beacon.key in wanted)
        return tuple(address for beacon in beacons for address in beacon.addresses)

    async def changed(self) -> None:
        """Wait until something is found, changes or goes."""
        await self._changed.wait()

    async def announce(self, beacon: Beacon) -> None:
        """Announce this node so, instead of as before. Raises NoBeacon."""
        async with self._changing:
            await self._announce(beacon)

    async def _announce(self, beacon: Beacon) -> None:
        try:
            await trio.to_thread.run_sync(self._mdns.announce, beacon.to_service())
        except MDNS_ERRORS as error:
            raise NoBeacon(
                "This node cannot be announced on the network ({error}).", error=str(error)
            ) from error
        self._announced = beacon

    async def follow_network(self) -> NoReturn:
        """When this machine gets other addresses, begin anew on these: whoever listens at the old
        ones hears nothing any more.
        """
        while True:
            await trio.sleep(LOOK_SECONDS)
            with suppress(OSError):  # the system has nothing to give now: asked at the next look
                if self._mdns.is_outdated:
                    async with self._changing:
                        await self._begin_anew()

    async def _begin_anew(self) -> None:
        self._found.clear()
        self._wake()
        await trio.to_thread.run_sync(self._mdns.close)
        with suppress(NoBeacon, *MDNS_ERRORS):  # tried again at the next look
            await trio.to_thread.run_sync(self._mdns.open)
            if self._announced is not None:
                await self._announce(evolve(self._announced, hosts=lan_addresses()))

    def note(self, name: str, beacon: Beacon | None) -> None:
        """Something was found under that name, or is there no more."""
        if beacon is None:
            self._found.pop(name, None)
        elif name in self._found or len(self._found) < MOST_BEACONS:
            self._found[name] = beacon
        self._wake()

    def _wake(self) -> None:
        self._changed.set()
        self._changed = trio.Event()


@asynccontextmanager
async def open_beacons() -> AsyncIterator[Beacons]:
    """Listens for beacons as long as the block lasts, on all interfaces that are up; what was
    announced is taken back at its end. Raises NoBeacon where the network cannot be used for it.
    """
    token = trio.lowlevel.current_trio_token()

    def heard(name: str, service: ServiceInfo | None) -> None:
        try:
            beacon = None if service is None else Beacon.from_service(service)
        except Malformed as error:
            _log.info("a beacon was ignored: %s", error)
            return
        with suppress(trio.RunFinishedError):  # the program has ended meanwhile
            token.run_sync_soon(beacons.note, name, beacon)

    beacons = Beacons(mdns := Mdns(SERVICE, heard))
    try:
        await trio.to_thread.run_sync(mdns.open)
    except MDNS_ERRORS as error:
        raise NoBeacon(
            "Tables cannot be looked for on this network ({error}). Sitting down by "
            "address works nevertheless: sobremesa join HOST:PORT.",
            error=str(error),
        ) from error
    try:
        async with beside(beacons.follow_network):
            yield beacons
    finally:
        with trio.CancelScope(shield=True):
            await trio.to_thread.run_sync(mdns.close)


def mark_of(table_id: bytes) -> str:
    """The mark of a table that has begun: it says nothing about the table."""
    return digest("mark", table_id)[:MARK_BYTES].hex()


def own_beacon(key: bytes, port: int) -> Beacon:
    """The beacon of a node of this machine, about no table yet."""
    return Beacon(key, lan_addresses(), port)
