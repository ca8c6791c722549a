"""Limits on the memory and time that strangers' announcements and datagrams take."""

import asyncio
import random
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import Mock, call

import pytest
import trio
from zeroconf import RecordUpdate, Zeroconf, const
from zeroconf._cache import DNSCache
from zeroconf._dns import DNSAddress, DNSHinfo, DNSPointer, DNSRecord, DNSService, DNSText
from zeroconf._protocol.incoming import DNSIncoming
from zeroconf._protocol.outgoing import DNSOutgoing
from zeroconf._services.browser import QueryScheduler

from p2p.discovery.beacon import SERVICE
from p2p.discovery.datagram_limits import Limited, Shares
from p2p.discovery.interfaces import Interface
from p2p.discovery.mdns import MOST_KEPT, MOST_POINTERS, _Bound, _size, zeroconf_on
from p2p.rate_limit import RateLimit, RateLimits
from tests.p2p.discovery.heard_beacons import real_mdns

LIFE = 75_000
"""The seconds that a stranger's records claim to live."""


class _Kept:
    """A cache of zeroconf with our limits, without sockets and threads."""

    def __init__(self) -> None:
        self.cache = DNSCache()
        zc = cast(Zeroconf, SimpleNamespace(cache=self.cache))
        self.shares = Shares()
        self.bound = _Bound(zc, SERVICE, self.shares)
        self._zeroconf = zc

    def hear(self, *records: DNSRecord) -> None:
        """Hear a packet with these records, as zeroconf does."""
        self.bound.async_update_records(
            self._zeroconf, 0.0, [RecordUpdate(record, None) for record in records]
        )
        self.cache.async_add_records(records)
        self.bound.async_update_records_complete()

    def take_back(self, record: DNSRecord) -> None:
        """Hear a goodbye for the record, as zeroconf does."""
        self.bound.async_update_records(self._zeroconf, 0.0, [RecordUpdate(record, record)])
        if self.cache.get(record) is not None:
            self.cache.async_remove_records([record])
        self.bound.async_update_records_complete()

    @property
    def records(self) -> list[DNSRecord]:
        return [record for store in self.cache.cache.values() for record in store.values()]


@pytest.fixture
def kept() -> _Kept:
    return _Kept()


def text(name: str, data: bytes) -> DNSText:
    return DNSText(name, const._TYPE_TXT, const._CLASS_IN, LIFE, data)


def pointer(kind: str, name: str) -> DNSPointer:
    return DNSPointer(kind, const._TYPE_PTR, const._CLASS_IN, LIFE, name)


def service(name: str, server: str) -> DNSService:
    return DNSService(name, const._TYPE_SRV, const._CLASS_IN, LIFE, 0, 0, 1, server)


def address(name: str) -> DNSAddress:
    return DNSAddress(name, const._TYPE_A, const._CLASS_IN, LIFE, bytes([10, 0, 0, 1]))


def test_useful_records_are_kept(kept: _Kept) -> None:
    name = f"Ana.{SERVICE}"
    of_use = [
        pointer(SERVICE, name),
        service(name, "ana.local."),
        text(name, bytes(1300)),
        address("ana.local."),
    ]
    kept.hear(*of_use)
    kept.hear(*of_use)
    assert set(kept.records) == set(of_use)


def test_the_senders_of_a_service_are_noted_oldest_first(kept: _Kept) -> None:
    for sender, record in (
        ("192.0.2.1", text(f"Ana.{SERVICE}", b"x")),
        ("192.0.2.2", service(f"ANA.{SERVICE}", "ana.local.")),
        ("192.0.2.1", service(f"Ana.{SERVICE}", "ana.local.")),
        ("192.0.2.3", pointer(SERVICE, f"Ana.{SERVICE}")),
    ):
        kept.shares.sender = sender
        kept.hear(record)
    assert kept.bound.senders_of(f"Ana.{SERVICE}") == ("192.0.2.1", "192.0.2.2")
    assert kept.bound.senders_of(f"Eve.{SERVICE}") == ("",)


def test_the_senders_of_512_services_are_remembered(kept: _Kept) -> None:
    """The service that was announced longest ago is forgotten."""
    kept.shares.sender = "192.0.2.1"
    for number in (*range(512), 0, 512):
        kept.hear(text(f"{number}.{SERVICE}", b"x"))
    known = [number for number in range(513) if kept.bound.senders_of(f"{number}.{SERVICE}")[0]]
    assert known == [0, *range(2, 513)]


def test_records_of_other_services_are_not_kept(kept: _Kept) -> None:
    kept.hear(
        text("printer._ipp._tcp.local.", b"x"),
        pointer("_ipp._tcp.local.", f"Ana.{SERVICE}"),
        service("printer._ipp._tcp.local.", "ana.local."),
        text(f"Ana.{SERVICE}", bytes(1301)),
        DNSHinfo(f"Ana.{SERVICE}", const._TYPE_HINFO, const._CLASS_IN, LIFE, 200 * "c", 200 * "o"),
    )
    assert not kept.records
    assert not kept.bound._kept
    assert kept.bound._bytes == 0


async def test_a_listener_keeps_no_records_of_other_services() -> None:
    """It hears a packet about a printer and a table."""
    ours, foreign = text(f"Ana.{SERVICE}", b"x"), text("printer._ipp._tcp.local.", b"x")
    packet = DNSOutgoing(const._FLAGS_QR_RESPONSE | const._FLAGS_AA)
    for record in (ours, foreign):
        packet.add_answer_at_time(record, 0)

    async def hear(zeroconf: Zeroconf) -> list[bool]:
        (data,) = packet.packets()
        zeroconf.record_manager.async_updates_from_response(DNSIncoming(data))
        return [zeroconf.cache.get(record) is not None for record in (ours, foreign)]

    async with real_mdns() as mdns:
        assert mdns._zeroconf is not None
        assert mdns._zeroconf.loop is not None
        heard = asyncio.run_coroutine_threadsafe(hear(mdns._zeroconf), mdns._zeroconf.loop)
        assert await trio.to_thread.run_sync(heard.result) == [True, False]


@pytest.mark.parametrize(
    "about",
    [
        lambda name: text(name, random.Random(name).randbytes(1300)),
        lambda name: pointer(SERVICE, name),
        lambda name: service(name, name),
        address,
    ],
    ids=["text", "pointer", "service", "address"],
)
def test_a_flood_of_names_takes_bounded_memory(
    kept: _Kept, about: Callable[[str], DNSRecord]
) -> None:
    for number in range(4000):
        kept.hear(record := about(f"{number}.{SERVICE}"))
    assert 100 < len(kept.records) < MOST_KEPT // 600
    assert sum(len(r.text) for r in kept.records if isinstance(r, DNSText)) < MOST_KEPT
    assert kept.records[-1] == record, "the newest record has gone"
    assert kept.bound._bytes == sum(kept.bound._kept.values()) <= MOST_KEPT
    assert set(kept.bound._kept) == set(kept.records)


def test_a_withdrawn_record_takes_no_room(kept: _Kept) -> None:
    """Otherwise a stranger who announces and withdraws could displace all others."""
    ours = text(f"Ana.{SERVICE}", b"x")
    kept.hear(ours)
    alone = kept.bound._bytes
    for number in range(1000):
        other = text(f"{number}.{SERVICE}", bytes(1300))
        kept.hear(other)
        kept.take_back(other)
        kept.take_back(other)
        assert kept.bound._bytes == alone
    assert kept.records == [ours]


def test_the_room_can_be_used_completely(kept: _Kept) -> None:
    """Texts with `data` bytes each, and a last one for the rest, fill the room to the byte."""
    base = _size(text(f"0000.{SERVICE}", b""))
    data = next(n for n in range(900, 1300) if 0 <= MOST_KEPT % (base + n) - base <= 1300)
    count, rest = divmod(MOST_KEPT, base + data)
    for number, size in enumerate([*(count * [data]), rest - base]):
        kept.hear(text(f"{number:04}.{SERVICE}", bytes(size)))
    assert kept.bound._bytes == MOST_KEPT
    assert len(kept.records) == count + 1
    kept.hear(text(f"9999.{SERVICE}", b""))
    assert len(kept.records) == count + 1


def test_the_size_of_a_record_includes_its_name_and_data() -> None:
    """Text counts twice, because zeroconf also keeps it in lower case. Other data count once."""
    base = _size(pointer("", ""))
    for record, size in (
        (pointer("abc", "12345"), 2 * 3 + 2 * 5),
        (service("abc", "12345"), 2 * 3 + 2 * 5),
        (text("abc", b"12345"), 2 * 3 + 5),
        (address("abc"), 2 * 3),
    ):
        assert _size(record) == base + size


def test_a_browser_does_not_ask_for_a_service_that_has_gone(kept: _Kept) -> None:
    """Usually a browser asks when 75 % of a record's time are over."""
    zc: Any = kept._zeroconf
    questions = QueryScheduler(zc, {SERVICE}, None, 5353, True, 10_000, (20, 120), None)
    kept.bound.forget_question = questions.cancel_ptr_refresh
    last = f"last.{SERVICE}"
    for number in range(5000):
        name = pointer(SERVICE, f"{number:024}.{SERVICE}" if number < 4999 else last)
        questions.reschedule_ptr_first_refresh(name)  # as a browser does before a record is cached
        kept.hear(name)
    asked = questions._next_scheduled_for_alias
    assert len(asked) == len(kept.records) < 1000
    assert last in asked


async def test_mdns_is_opened_anew_after_a_flood_of_names(kept: _Kept) -> None:
    """A new browser has no questions about the flood's names."""
    async with real_mdns() as mdns:
        assert not mdns.is_flooded
        mdns._bound = kept.bound
        flood = [RecordUpdate(pointer(SERVICE, f"one.{SERVICE}"), None)] * (MOST_POINTERS + 1)
        kept.bound.async_update_records(kept._zeroconf, 0.0, flood[:-1])
        assert not mdns.is_flooded
        kept.bound.async_update_records(kept._zeroconf, 0.0, flood[-1:])
        assert mdns.is_flooded


# -- Bounds on the datagrams of strangers that a node reads by mDNS

SIZE = 1000


def shares_of(
    each: tuple[int, float] = (256 * 1024, 32 * 1024),
    together: tuple[int, float] = (512 * 1024, 128 * 1024),
) -> Shares:
    """Return limits (burst, rate) for each address and for all; `read` sets their clock."""
    clock = Mock(return_value=0.0)
    return Shares(RateLimits(256, *each, clock), RateLimit(*together, clock))


def read(shares: Shares, source: str, count: int, now: float = 0.0) -> int:
    """Return how many of `count` datagrams from `source` are read."""
    assert isinstance(shares.all.clock, Mock)
    shares.all.clock.return_value = now
    return sum(shares.take(source, SIZE) for _ in range(count))


def test_each_address_has_a_burst_and_then_its_rate() -> None:
    shares = shares_of((10 * SIZE, 2 * SIZE))
    assert read(shares, "192.0.2.1", 100) == 10
    assert read(shares, "192.0.2.2", 100) == 10
    assert read(shares, "192.0.2.1", 100, now=3.0) == 6
    assert read(shares, "192.0.2.1", 100, now=600.0) == 10


def test_all_addresses_together_share_a_limit() -> None:
    """A sender of UDP can forge any address."""
    shares = shares_of(together=(20 * SIZE, SIZE))
    assert sum(read(shares, f"192.0.2.{number}", 1) for number in range(100)) == 20
    assert sum(read(shares, f"198.51.100.{number}", 1, now=5.0) for number in range(100)) == 5


def test_a_datagram_that_is_not_read_uses_up_no_limit() -> None:
    shares = shares_of((10 * SIZE, SIZE), (30 * SIZE, SIZE))
    assert read(shares, "192.0.2.1", 1000) == 10
    assert read(shares, "192.0.2.2", 10) == 10
    assert read(shares, "192.0.2.3", 10) == 10


def test_only_the_latest_addresses_are_remembered() -> None:
    shares = shares_of((SIZE, 0.0), (10**9, 1e9))
    for number in range(1000):
        assert read(shares, f"{number}", 2) == 1
    assert len(shares.each._of) == 256
    assert read(shares, "999", 1) == 0


def test_datagrams_within_the_limits_are_forwarded() -> None:
    reader, error, source = Mock(), OSError(), ("fe80::1", 5353, 0, 2)
    limited = Limited(reader, shares := shares_of((10, 0.0)))
    for size in (6, 5, 4):
        limited.datagram_received(bytes(size), source)
    assert shares.sender == "fe80::1"
    limited.error_received(error)
    limited.connection_lost(None)
    assert reader.mock_calls == [
        call.datagram_received(bytes(6), source),
        call.datagram_received(bytes(4), source),
        call.error_received(error),
        call.connection_lost(None),
    ]


def test_zeroconf_reads_only_through_the_limits() -> None:
    zeroconf = zeroconf_on([Interface("lo", ("127.0.0.1",), ())])
    try:
        readers = [reader.transport for reader in zeroconf.engine.protocols]
        protocols: list[Any] = [one.transport.get_protocol() for one in readers if one is not None]
        assert protocols
        assert {type(one) for one in protocols} == {Limited}
        assert len({id(one._shares) for one in protocols}) == 1
    finally:
        zeroconf.close()
