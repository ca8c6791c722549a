"""The network interfaces of this machine, and listening on all of them."""

import errno
import ipaddress
import math
import socket
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import ifaddr
import trio
from attrs import define, field, frozen

from p2p.discovery.address_book import host_of

DEFAULT_PORT = 24815
"""Port at which a node listens if no other is given; if it is taken, the system chooses one."""

LOOPBACK = "127.0.0.1"
"""The address of this machine for programs on it."""

_FAR_AWAY = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))
"""Addresses in the ranges for documentation (RFC 5737, RFC 3849), to find the default route."""

_MADE = ("bridge", "docker", "tap", "tun", "utun", "vboxnet", "veth", "virbr", "vmnet", "wg")
"""Beginnings of the names of virtual interfaces, for systems other than Linux."""

_STATES = Path("/sys/class/net")

_LOOK_SECONDS = 2.0
"""Seconds for which a list of the interfaces is used before the system is asked again."""

_USUAL_PREFIX = 64
"""Usual length of an IPv6 network's prefix (RFC 4291). Longer prefixes are cut to this length: a
machine whose address was set with a prefix of 128 bits still has other machines on its network.
"""

_Network = ipaddress.IPv4Network | ipaddress.IPv6Network


@frozen
class Interface:
    """An interface that is up, with its IP addresses and the networks that it is on.

    IPv6 link-local addresses have their scope.
    """

    name: str
    ipv4: tuple[str, ...]
    ipv6: tuple[str, ...]
    networks: tuple[_Network, ...] = ()

    @property
    def is_loopback(self) -> bool:
        return any(ipaddress.ip_address(a).is_loopback for a in (*self.ipv4, *self.ipv6))

    @property
    def is_made(self) -> bool:
        """Return True for a virtual interface, such as a tunnel or a bridge."""
        if (_STATES / self.name).exists():
            return not (_STATES / self.name / "device").exists()
        return self.name.lower().startswith(_MADE)

    @property
    def addresses(self) -> tuple[str, ...]:
        return (*self.ipv4, *self.ipv6)


def interfaces() -> tuple[Interface, ...]:
    """Return all interfaces that are up and have an address, the loopback last."""
    found = []
    for adapter in ifaddr.get_adapters():
        if not _is_up(adapter.name):
            continue
        ipv4 = tuple(ip.ip for ip in adapter.ips if isinstance(ip.ip, str))
        ipv6 = tuple(_scoped(ip.ip, adapter.name) for ip in adapter.ips if not ip.is_IPv4)
        if ipv4 or ipv6:
            networks = tuple(map(_network_of, adapter.ips))
            found.append(Interface(adapter.nice_name, ipv4, ipv6, networks))
    return tuple(sorted(found, key=lambda interface: interface.is_loopback))


def _network_of(ip: ifaddr.IP) -> _Network:
    host = ip.ip if isinstance(ip.ip, str) else ip.ip[0]
    prefix = ip.network_prefix if ip.is_IPv4 else min(ip.network_prefix, _USUAL_PREFIX)
    return ipaddress.ip_network(f"{host}/{prefix}", strict=False)


@define
class Neighbourhood:
    """The networks that this machine is on now, and its own addresses there."""

    _networks: tuple[_Network, ...] = field(default=(), init=False)
    _own: frozenset[str] = field(default=frozenset(), init=False)
    _looked: float = field(default=-math.inf, init=False)
    """The time at which the system was last asked for its interfaces."""

    def has(self, host: str) -> bool:
        """Return True if that IP address is on one of the networks, or this machine's own."""
        plain = host_of(host)
        if plain is None:
            return False
        address = ipaddress.ip_address(plain)
        # A loopback or link-local address reaches no farther than this machine or its networks.
        if address.is_loopback or (address.version == 6 and address.is_link_local):
            return True
        self._look()
        return any(address in network for network in self._networks)

    def is_own(self, host: str) -> bool:
        """Return True if that IP address is this machine's own."""
        plain = host_of(host.partition("%")[0])
        if plain is None:
            return False
        self._look()
        return ipaddress.ip_address(plain).is_loopback or plain in self._own

    def _look(self) -> None:
        if time.monotonic() - self._looked < _LOOK_SECONDS:
            return
        with suppress(OSError):  # no more files may be opened now: keep the last result
            up = interfaces()
            self._networks = tuple(network for one in up for network in one.networks)
            self._own = frozenset(a.partition("%")[0] for one in up for a in one.addresses)
        self._looked = time.monotonic()


def lan_addresses() -> tuple[str, ...]:
    """Return the addresses at which other machines may reach this one, the likeliest first.

    All IPv4 addresses come before all IPv6 addresses. Within each kind, the interface of the
    default route comes first, then other hardware, then bridges and tunnels. The addresses of the
    loopback are returned only if there is no other interface. Raises OSError while the system is
    out of files or buffers (EMFILE, ENOBUFS).
    """
    up = interfaces()
    chosen = [interface for interface in up if not interface.is_loopback] or list(up)
    ways_out = frozenset(filter(None, map(_source_of, _FAR_AWAY)))
    # False sorts before True: first comes the interface that has a way out, then real hardware.
    chosen.sort(key=lambda interface: (ways_out.isdisjoint(interface.addresses), interface.is_made))
    ipv4 = [address for interface in chosen for address in interface.ipv4]
    return (*ipv4, *(address for interface in chosen for address in interface.ipv6))


@define
class OwnAddresses:
    """The result of `lan_addresses` for callers who ask often; during errors, the last result."""

    _last: tuple[str, ...] = field(default=(), init=False)

    def now(self) -> tuple[str, ...]:
        """Return the addresses now, or the last known ones while the system gives an error."""
        with suppress(OSError):
            self._last = lan_addresses()
        return self._last


def _source_of(destination: tuple[socket.AddressFamily, str]) -> str | None:
    """Return this machine's address from which packets to `destination` would be sent.

    Return None if there is no route. No packet is sent.
    """
    family, host = destination
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((host, 9))
            source: str = probe.getsockname()[0]
            return source
    except OSError:
        return None


async def listen(port: int | None) -> tuple[Sequence[trio.SocketListener], int]:
    """Return listeners on all interfaces, IPv4 and IPv6, and the port that all of them have.

    Without `port`, use DEFAULT_PORT, or if that is taken, a port that the system chooses. Raises
    OSError if `port` is taken.
    """
    if port is not None:
        return await _listen_at(port)
    try:
        return await _listen_at(DEFAULT_PORT)
    except OSError:
        return await _listen_at(0)


async def _listen_at(port: int) -> tuple[Sequence[trio.SocketListener], int]:
    ipv4 = await trio.open_tcp_listeners(port, host="0.0.0.0")
    chosen: int = ipv4[0].socket.getsockname()[1]
    try:
        ipv6 = await trio.open_tcp_listeners(chosen, host="::")
    except OSError as error:
        # A beacon names one port for all addresses, so the port must be free for both.
        if error.errno == errno.EADDRINUSE:
            for listener in ipv4:
                await listener.aclose()
            raise
        ipv6 = []  # this machine has no IPv6
    return (*ipv4, *ipv6), chosen


def _scoped(address: object, name: str) -> str:
    """Return an IPv6 address as text from the (address, flow, scope) that ifaddr gives."""
    assert isinstance(address, tuple)
    host, _, scope = address
    if not scope:
        return str(host)
    return f"{host}%{scope if sys.platform == 'win32' else name}"


def _is_up(name: str) -> bool:
    """Return True if the interface is up, as far as the system tells."""
    try:
        state = (_STATES / name / "operstate").read_text().strip()
    except OSError:
        return True  # not Linux: an interface that has an address is up
    return state != "down"
