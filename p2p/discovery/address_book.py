"""The addresses at which members of a table were found: hints for calls, no proof of identity."""

import ipaddress
from collections.abc import Iterable, Iterator

from attrs import define, field, frozen

from protocol.charter import MOST_MEMBERS
from protocol.codec import Encodable, Fields
from protocol.errors import Malformed
from protocol.signatures import KEY_BYTES

MOST_ADDRESSES = 4
"""The maximum number of addresses that are remembered for one member."""

MOST_TOLD = MOST_MEMBERS * MOST_ADDRESSES
"""The maximum number of addresses in one message."""

_TEXT_LIMIT = 64  # characters of an address

_SEEN = 2
"""The number of addresses at the head of a member's list that hearsay cannot displace."""

_MOST_KEYS = 32
"""The maximum number of members whose addresses are remembered."""


@frozen
class Address:
    """An IP address and port at which the node with `key` listens, or has listened."""

    key: bytes
    host: str
    port: int


def host_of(text: str) -> str | None:
    """Return an IP address in its usual form; None for anything else, such as a host name.

    An IPv6 address keeps its scope; an IPv4-mapped IPv6 address becomes the IPv4 address. The
    result is None, too, for an address that no single machine has (multicast, unspecified).
    """
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return None
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    if address.is_multicast or address.is_unspecified:
        return None
    return str(address)


def is_for_others(host: str) -> bool:
    """Return True if an address means the same on another machine.

    An address with a scope does not: the scope, as in "fe80::1%eth0", is the name of an interface
    of one machine.
    """
    return "%" not in host and not host.lower().startswith("fe80:")


def is_loopback(host: str) -> bool:
    """Return True for a loopback address, which on each machine means that machine itself."""
    plain = host_of(host)
    return plain is not None and ipaddress.ip_address(plain).is_loopback


def place_text(host: str, port: int) -> str:
    """Return a host and a port as people type them: "192.0.2.1:7", "[2001:db8::1]:7"."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


@define
class AddressBook:
    """The addresses of each key, a few at most, the most promising first."""

    version: int = field(default=0, init=False)
    """A number that goes up with each change."""
    _found: dict[bytes, tuple[tuple[str, int], ...]] = field(factory=dict, init=False)
    """The hosts and ports of each key, the most promising first."""

    def learn(self, address: Address, *, seen: bool) -> bool:
        """Enter an address; return True if the book has changed.

        An address that this node has `seen` itself comes first. An address that others told comes
        third, after the first two.
        """
        host = host_of(address.host)
        if host is None or not 0 < address.port < 1 << 16:
            return False
        if address.key not in self._found and len(self._found) >= _MOST_KEYS:
            return False
        old = self._found.get(address.key, ())
        place = (host, address.port)
        # A known address does not rise in the list when others tell it again.
        if place in old and not seen:
            return False
        others = tuple(known for known in old if known != place)
        at = 0 if seen else min(_SEEN, len(others))
        new = (*others[:at], place, *others[at:])[:MOST_ADDRESSES]
        self._found[address.key] = new
        # An address that was seen again may already be in the first place.
        self.version += new != old
        return new != old

    def learn_all(self, addresses: Iterable[Address]) -> bool:
        """Enter addresses that others told; return True if the book has changed."""
        news = [self.learn(address, seen=False) for address in addresses]
        return any(news)

    def of(self, key: bytes) -> tuple[tuple[str, int], ...]:
        """Return the hosts and ports to try for that key, in the order in which to try them."""
        return self._found.get(key, ())

    def __iter__(self) -> Iterator[Address]:
        for key, places in self._found.items():
            yield from (Address(key, host, port) for host, port in places)


def address_fields(addresses: Iterable[Address]) -> Encodable:
    """Return addresses as a field of a message, except those at which nobody can be called.

    Nobody can be called at port 0, or if the caller left before this node saw their IP address.
    """
    places = ((address.key, host_of(address.host), address.port) for address in addresses)
    return [place for place in places if place[1] is not None and 0 < place[2] < 1 << 16]


def take_addresses(fields: Fields) -> tuple[Address, ...]:
    """Return the addresses in a field of a message. Raises Malformed."""
    return tuple(map(_take_address, fields.take_each("addresses", MOST_TOLD)))


def _take_address(fields: Fields) -> Address:
    key = fields.take_bytes("key", exact=KEY_BYTES)
    host = fields.take_text("host", _TEXT_LIMIT)
    if host_of(host) != host:
        raise Malformed("An address is no IP address in its usual form.")
    port = fields.take_int("port", 1, 65535)
    fields.end()
    return Address(key, host, port)
