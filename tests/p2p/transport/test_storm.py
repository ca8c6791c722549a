"""Thousands of connections, among which honest callers must still be served."""

import random
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, suppress

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from p2p.background_task import beside
from p2p.storage.identity import Identity
from p2p.transport.frames import LinkClosed
from p2p.transport.link import Limits, Link, serve_links
from p2p.transport.tls import PeerRefused
from tests.p2p.memory_network import MemoryListener, echoes, memory_link

pytestmark = pytest.mark.usefixtures("autojump_clock")

ANA, BOB, EVE = Identity.generate(), Identity.generate(), Identity.generate()
LIMITS = Limits(
    strangers=8, per_address=4, greeted=2, burst=6, rate=1.0, rate_of_neighbour=10, rate_of_all=20
)

Call = Callable[[str], trio.abc.Stream]


@pytest.fixture
async def call(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Call]:
    """Open Bob's node; a test gives the address of each caller."""
    listener = MemoryListener()
    addresses: list[str] = []
    known: dict[trio.abc.Stream, str] = {}

    def address_of(stream: trio.abc.Stream) -> str:
        if stream not in known:
            known[stream] = addresses.pop(0)
        return known[stream]

    monkeypatch.setattr("p2p.transport.link.address_of", address_of)

    def call(address: str) -> trio.abc.Stream:
        addresses.append(address)
        return listener.call()

    async def echo(link: Link) -> None:
        while True:
            said = await link.receive()
            link.greet()
            await link.send(said)

    chance = random.Random(8)
    async with beside(lambda: serve_links([listener], BOB, echo, limits=LIMITS, chance=chance)):
        yield call


async def is_served(stream: trio.abc.Stream) -> bool:
    async with memory_link(stream, ANA, BOB) as link:
        return await echoes(link)


async def is_open(stream: trio.abc.Stream) -> bool:
    """Return True if the stream is open, without any bytes to read."""
    with trio.move_on_after(0.01) as waiting:
        try:
            await stream.receive_some()
        except trio.BrokenResourceError:
            return False
    return waiting.cancelled_caught


async def test_a_caller_who_comes_too_often_is_refused_and_others_are_heard(call: Call) -> None:
    flood = [call("10.0.0.9") for _ in range(90)]
    await wait_all_tasks_blocked()
    held = [stream for stream in flood if await is_open(stream)]
    assert len(held) == LIMITS.per_address
    assert set(held) <= set(flood[: LIMITS.burst])
    assert await is_served(call("10.0.0.1"))
    await trio.sleep(1)
    assert await is_served(call("10.0.0.9"))


async def test_when_all_places_are_taken_the_fullest_network_loses_one(call: Call) -> None:
    """The connection that has waited longest keeps its place.

    It may be that of an honest caller in a slow handshake.
    """
    waits = call("10.0.0.1")
    await wait_all_tasks_blocked()
    for number in range(15):
        call(f"10.0.1.{number % 4}")
    await wait_all_tasks_blocked()
    assert await is_served(waits)


async def test_all_addresses_of_a_network_together_have_the_places_of_one_address(
    call: Call,
) -> None:
    """The limit is for the whole network, because further addresses of it cost nothing."""
    crowd = [call(f"2001:db8::{number:x}") for number in range(90)]
    await wait_all_tasks_blocked()
    held = [stream for stream in crowd if await is_open(stream)]
    assert len(held) == LIMITS.per_address


async def test_if_very_many_come_each_has_the_same_chance(call: Call) -> None:
    """An honest caller, who tries once a second and takes a tenth of it to say hello, is served.

    The crowd has 900 addresses and opens 250 connections a second.
    """
    tries, served = 0, False
    async with trio.open_nursery() as nursery:

        async def flood() -> None:
            for number in range(1000):
                for one in range(10):
                    call(f"10.0.{number % 90}.{one}")
                await trio.sleep(0.04)

        nursery.start_soon(flood)
        await trio.sleep(1)
        while not served:
            tries += 1
            stream = call("10.9.9.9")
            await trio.sleep(0.1)
            with suppress(PeerRefused, LinkClosed, trio.BrokenResourceError):
                served = await is_served(stream)
            await trio.sleep(0.9)
        nursery.cancel_scope.cancel()
    assert 1 < tries < 10


async def test_a_caller_who_said_hello_stays_when_silent_ones_come(call: Call) -> None:
    """The caller stays even if others, at an address with more places, have said hello, too."""
    async with AsyncExitStack() as stack:
        waits = await stack.enter_async_context(memory_link(call("10.0.0.1"), ANA, BOB))
        assert await echoes(waits)
        for _ in range(3):
            for number in range(15):
                call(f"10.0.1.{number}")
            await trio.sleep(1)
        for _ in range(3):
            other = await stack.enter_async_context(memory_link(call("10.0.0.2"), EVE, BOB))
            assert await echoes(other)
        assert await echoes(waits)
