"""Connections by the thousand: who has come once is served at the first try."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from p2p.storage.identity import Identity
from p2p.transport.link import Limits, Link, serve_links
from tests.p2p.memory_links import MemoryListener, memory_link

ANA, BOB = Identity.generate(), Identity.generate()
LIMITS = Limits(strangers=8, per_address=4, burst=6, rate=1.0, rate_of_all=20)

Call = Callable[[str], trio.abc.Stream]


@asynccontextmanager
async def listening(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Call]:
    """Bob's node; calls come from the address that is given."""
    listener = MemoryListener()
    addresses: list[str] = []
    monkeypatch.setattr("p2p.transport.link.address_of", lambda _stream: addresses.pop(0))

    def call(address: str) -> trio.abc.Stream:
        addresses.append(address)
        return listener.call()

    async def echo(link: Link) -> None:
        await link.send(await link.receive())

    async with trio.open_nursery() as nursery:
        nursery.start_soon(lambda: serve_links([listener], BOB, echo, limits=LIMITS))
        yield call
        nursery.cancel_scope.cancel()


async def is_served(stream: trio.abc.Stream) -> bool:
    async with memory_link(stream, ANA, BOB) as link:
        await link.send(b"hello")
        return await link.receive() == b"hello"


async def is_open(stream: trio.abc.Stream) -> bool:
    """Whether nothing is said on it, and it was not closed."""
    with trio.move_on_after(0.01) as waiting:
        try:
            await stream.receive_some()
        except trio.BrokenResourceError:
            return False
    return waiting.cancelled_caught


async def test_who_comes_too_often_is_not_heard_and_others_are(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    async with listening(monkeypatch) as call:
        flood = [call("10.0.0.9") for _ in range(90)]
        await wait_all_tasks_blocked()
        held = [stream for stream in flood if await is_open(stream)]
        assert held == flood[LIMITS.burst - LIMITS.per_address : LIMITS.burst]
        assert await is_served(call("10.0.0.1"))
        await trio.sleep(1)
        assert await is_served(call("10.0.0.9"))


async def test_a_crowd_of_addresses_takes_places_from_the_fullest(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    """Not from who has waited longest: that would be whoever is in the middle of a handshake."""
    async with listening(monkeypatch) as call:
        waits = call("10.0.0.1")
        await wait_all_tasks_blocked()
        for number in range(15):
            call(f"10.0.1.{number % 4}")
        await wait_all_tasks_blocked()
        assert await is_served(waits)


async def test_when_very_many_come_only_those_are_heard_who_did_not_come_lately(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    async with listening(monkeypatch) as call:
        for number in range(80):
            call(f"10.0.1.{number % 40}")
        await wait_all_tasks_blocked()
        again, first = call("10.0.1.7"), call("10.0.0.1")
        await wait_all_tasks_blocked()
        assert not await is_open(again)
        assert await is_served(first)
