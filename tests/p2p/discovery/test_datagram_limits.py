"""Bounds on the datagrams of strangers that a node reads by mDNS."""

from typing import Any

from attrs import define, field

from p2p.discovery.datagram_limits import Limited, Shares
from p2p.discovery.interfaces import Interface
from p2p.discovery.mdns import zeroconf_on
from p2p.rate_limit import RateLimit, RateLimits

SIZE = 1000


@define
class Clock:
    """A clock that a test sets."""

    now: float = 0.0

    def __call__(self) -> float:
        return self.now


def shares_of(
    each: tuple[int, float] = (256 * 1024, 32 * 1024),
    together: tuple[int, float] = (512 * 1024, 128 * 1024),
) -> Shares:
    """Return shares by burst and rate; `read` sets their clock."""
    clock = Clock()
    return Shares(RateLimits(256, *each, clock), RateLimit(*together, clock))


def read(shares: Shares, source: str, count: int, now: float = 0.0) -> int:
    """Return how many of so many datagrams are read."""
    assert isinstance(shares.all.clock, Clock)
    shares.all.clock.now = now
    return sum(shares.take(source, SIZE) for _ in range(count))


def test_each_address_has_a_burst_and_then_its_rate() -> None:
    shares = shares_of((10 * SIZE, 2 * SIZE))
    assert read(shares, "192.0.2.1", 100) == 10
    assert read(shares, "192.0.2.2", 100) == 10
    assert read(shares, "192.0.2.1", 100, now=3.0) == 6
    assert read(shares, "192.0.2.1", 100, now=600.0) == 10


def test_all_addresses_together_have_one_too() -> None:
    """A sender of UDP can name any address."""
    shares = shares_of(together=(20 * SIZE, SIZE))
    assert sum(read(shares, f"192.0.2.{number}", 1) for number in range(100)) == 20
    assert sum(read(shares, f"198.51.100.{number}", 1, now=5.0) for number in range(100)) == 5


def test_what_was_not_read_costs_nobody_anything() -> None:
    shares = shares_of((10 * SIZE, SIZE), (30 * SIZE, SIZE))
    assert read(shares, "192.0.2.1", 1000) == 10
    assert read(shares, "192.0.2.2", 10) == 10
    assert read(shares, "192.0.2.3", 10) == 10


def test_few_addresses_are_remembered_the_latest() -> None:
    shares = shares_of((SIZE, 0.0), (10**9, 1e9))
    for number in range(1000):
        assert read(shares, f"{number}", 2) == 1
    assert len(shares.each._of) == 256
    assert read(shares, "999", 1) == 0


@define
class Reader:
    """zeroconf's."""

    told: list[object] = field(factory=list)

    def datagram_received(self, data: bytes, addr: tuple[Any, ...]) -> None:
        self.told.append((data, addr))

    def error_received(self, error: Exception) -> None:
        self.told.append(error)

    def connection_lost(self, error: Exception | None) -> None:
        self.told.append(error)


def test_what_is_within_the_shares_is_handed_on() -> None:
    reader, error, source = Reader(), OSError(), ("fe80::1", 5353, 0, 2)
    limited = Limited(reader, shares_of((10, 0.0)))
    for size in (6, 5, 4):
        limited.datagram_received(bytes(size), source)
    limited.error_received(error)
    limited.connection_lost(None)
    assert reader.told == [(bytes(6), source), (bytes(4), source), error, None]


def test_all_that_zeroconf_reads_goes_that_way() -> None:
    zeroconf = zeroconf_on([Interface("lo", ("127.0.0.1",), ())])
    try:
        readers = [reader.transport for reader in zeroconf.engine.protocols]
        protocols: list[Any] = [one.transport.get_protocol() for one in readers if one is not None]
        assert protocols
        assert {type(one) for one in protocols} == {Limited}
        assert len({id(one._shares) for one in protocols}) == 1
    finally:
        zeroconf.close()
