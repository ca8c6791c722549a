"""Limits for what members make up about themselves, and for the memory of those who hear it."""

from collections.abc import Callable, Iterator

import pytest
import trio
from attrs import define
from trio.testing import MockClock

from p2p.discovery.address_book import Address
from p2p.transport.endpoint import hear, say
from p2p.transport.frames import LinkClosed
from p2p.transport.link import Link
from p2p.transport.match_messages import Candidates
from p2p.transport.messages import Message, Noted, Talk, Whereabouts
from protocol.charter import Member
from tests.p2p.machines import failure_of
from tests.p2p.table.mesh_peers import (
    CARLA,
    EVE,
    FakeTable,
    attended,
    entry,
    heard_until_silence,
    record,
    status,
)

pytestmark = pytest.mark.usefixtures("on_memory")


def rising() -> Iterator[Message]:
    """Yield messages that a member can make up about themselves, new each time."""
    for number in range(4, 2000):
        yield status(number, entry(number))


def wandering() -> Iterator[Message]:
    for number in range(2000):
        place = f"10.1.{number // 250}.{number % 250 + 1}"
        yield Whereabouts((Address(CARLA.public, place, 7),))


def inventing() -> Iterator[Message]:
    for number in range(2000):
        yield Candidates((Member(EVE.public, "Eve", number.to_bytes(32, "big")),))


@define(eq=False)
class CuriousTable(FakeTable):
    """All that it is told about an absence is news."""

    async def on_talk(self, _player: int, _talk: Talk, /) -> bool:
        return True


@pytest.mark.parametrize("flood", [rising, wandering, inventing])
async def test_who_makes_up_news_is_cut_off(
    autojump_clock: MockClock, flood: Callable[[], Iterator[Message]]
) -> None:
    async with attended(CuriousTable(record(3))) as (mesh, link), trio.open_nursery() as nursery:
        said = 0

        async def talk() -> None:
            nonlocal said
            for message in flood():
                await say(link, message)
                said += 1

        nursery.start_soon(failure_of, talk())
        with trio.fail_after(20):
            assert isinstance(await failure_of(_listen(link)), LinkClosed)
        assert not mesh.linked
        assert said < 1000
        nursery.cancel_scope.cancel()


async def test_who_says_what_has_no_place_at_a_table_is_cut_off(autojump_clock: MockClock) -> None:
    async with attended(FakeTable(record(3))) as (mesh, link):
        await say(link, Noted())
        with trio.fail_after(20):
            assert isinstance(await failure_of(_listen(link)), LinkClosed)
        assert not mesh.linked


async def _listen(link: Link) -> None:
    while True:
        await hear(link)


async def test_who_says_how_far_they_have_followed_may_do_so_at_each_entry(
    autojump_clock: MockClock,
) -> None:
    """Though it is our newest one."""
    table = FakeTable()
    async with attended(table) as (mesh, link):
        for number in range(1, 601):
            table.record.append(entry(number))
            await say(link, status(number, entry(number)))
            await heard_until_silence(link, 0.001)
        assert mesh.heights[1] == 600


async def test_places_on_the_machine_itself_are_told_to_nobody_else(
    autojump_clock: MockClock,
) -> None:
    """Nor believed: it is another machine there, and whatever listens on it."""
    here, there = (Address(CARLA.public, host, 7) for host in ("127.0.0.1", "10.1.0.1"))
    async with attended(FakeTable(record(3))) as (mesh, link):
        mesh.book.learn(there, seen=True)
        mesh.book.learn(here, seen=True)
        assert mesh.whereabouts_for(link).addresses == (there,)
        await say(link, Whereabouts((Address(CARLA.public, "127.0.0.9", 631),)))
        await heard_until_silence(link)
        assert ("127.0.0.9", 631) not in mesh.book.of(CARLA.public)
