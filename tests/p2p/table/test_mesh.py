"""Messages of members at a table, and the end of those who say too much or read too little."""

import pytest
import trio
from trio.testing import MockClock

from p2p.discovery.address_book import Address
from p2p.refusals import Reason
from p2p.table.mesh import HEARTBEAT_SECONDS
from p2p.table.peer import WINDOW
from p2p.transport.endpoint import Caller, Declined, hear, say
from p2p.transport.frames import LinkClosed
from p2p.transport.lobby_messages import Ready
from p2p.transport.messages import (
    Acknowledgement,
    Agreed,
    Carry,
    Hello,
    Message,
    Status,
    Whereabouts,
)
from protocol.entries import Entry
from tests.p2p.machines import failure_of
from tests.p2p.memory_links import memory_link_pair
from tests.p2p.table.mesh_peers import (
    ANA,
    BRUNO,
    CARLA,
    CARLAS,
    EVE,
    FakeTable,
    acknowledged,
    attended,
    carried,
    entry,
    heard_until_silence,
    record,
    status,
)

pytestmark = pytest.mark.usefixtures("on_memory")


async def test_a_member_is_greeted_and_gets_what_it_lacks_in_windows(
    autojump_clock: MockClock,
) -> None:
    table = FakeTable(record(50))
    async with attended(table) as (_, link):
        greeting = await heard_until_silence(link)
        assert isinstance(greeting[0], Agreed)
        assert carried(greeting) == []  # it has not said what it has
        await say(link, status(3, entry(3)))
        assert carried(await heard_until_silence(link)) == [*range(4, 4 + WINDOW)]
        await say(link, status(10, entry(10)))
        assert carried(await heard_until_silence(link)) == [*range(4 + WINDOW, 11 + WINDOW)]


async def test_what_was_lost_is_sent_again(autojump_clock: MockClock) -> None:
    table = FakeTable(record(5))
    async with attended(table) as (_, link):
        await say(link, status(3, entry(3)))
        assert carried(await heard_until_silence(link)) == [4, 5]
        await say(link, status(3, entry(3)))
        assert carried(await heard_until_silence(link)) == []
        await trio.sleep(HEARTBEAT_SECONDS)
        await say(link, status(3, entry(3)))
        assert carried(await heard_until_silence(link)) == [4, 5]


@pytest.mark.parametrize(("length", "height"), [(20, 20), (30, 20), (5, 5)])
async def test_a_record_that_came_apart_is_shown_to_who_has_the_other_one(
    autojump_clock: MockClock, length: int, height: int
) -> None:
    """A window of it; and what comes after, as to everybody."""
    table = FakeTable(record(length))
    async with attended(table) as (_, link):
        await say(link, status(height, entry(height, branch=1)))
        shown = carried(await heard_until_silence(link))
        assert shown == [*range(max(1, height + 1 - WINDOW), length + 1)]


async def test_of_a_record_that_came_apart_nobody_shows_what_they_have_written_themselves(
    autojump_clock: MockClock,
) -> None:
    """It exposes nobody else; and whoever has played on from a copy would be by it."""
    own, carlas = (Entry.sign(bytes([n]), who.sign).encode() for n, who in ((1, ANA), (2, CARLA)))
    async with attended(FakeTable([own, carlas, own, entry(4)])) as (_, link):
        await say(link, status(4, entry(4, branch=1)))
        assert carried(await heard_until_silence(link)) == [2, 4]


async def test_a_stranger_gets_nothing(autojump_clock: MockClock) -> None:
    async with attended(FakeTable(record(3)), EVE) as (mesh, link):
        error = await failure_of(hear(link))
        assert isinstance(error, Declined)
        assert error.reason == Reason.NO_TABLE  # as where there is no such table
        assert not mesh.linked


@pytest.mark.parametrize(
    "flood",
    [status(3, entry(3)), Carry(2, entry(2)), Whereabouts(()), Agreed(b"")],
    ids=lambda message: message.kind,
)
async def test_who_says_much_that_is_no_news_is_cut_off(
    autojump_clock: MockClock, flood: Message
) -> None:
    async with attended(FakeTable(record(3))) as (mesh, link), trio.open_nursery() as nursery:

        async def talk() -> None:
            for _ in range(1000):
                await say(link, flood)

        async def listen() -> None:
            while True:
                await hear(link)

        nursery.start_soon(failure_of, talk())
        with trio.fail_after(20):
            assert isinstance(await failure_of(listen()), LinkClosed)
        assert not mesh.linked
        nursery.cancel_scope.cancel()


async def test_a_patient_member_may_say_the_same_for_hours(autojump_clock: MockClock) -> None:
    async with attended(FakeTable(record(3))) as (mesh, link):
        for _ in range(1000):
            await say(link, status(3, entry(3)))
            await heard_until_silence(link, HEARTBEAT_SECONDS)
        assert mesh.linked == {1}


@pytest.mark.parametrize(
    "message", [Ready(True), Carry(4, b"bad")], ids=lambda message: message.kind
)
async def test_nonsense_ends_the_link(autojump_clock: MockClock, message: Message) -> None:
    async with attended(FakeTable(record(3))) as (mesh, link):
        await say(link, message)
        with trio.fail_after(5):
            while mesh.linked:
                await trio.sleep(0.1)


async def test_a_record_that_shrinks_ends_the_link(autojump_clock: MockClock) -> None:
    async with attended(FakeTable(record(3))) as (mesh, link):
        await say(link, status(3, entry(3)))
        await say(link, status(2, entry(2)))
        with trio.fail_after(5):
            while mesh.linked:
                await trio.sleep(0.1)


async def test_a_member_who_does_not_read_holds_nothing_up_and_is_let_go(
    autojump_clock: MockClock,
) -> None:
    table = FakeTable()
    async with attended(table) as (mesh, link):
        await say(link, status(0, bytes(32)))
        await trio.sleep(0.5)
        for _ in range(200):
            table.record.append(bytes(32))
            await mesh.advanced(0)  # returns at once, whatever the member does
        peer = mesh._peers[1]
        assert peer.sent <= {*range(1, WINDOW + 1)}


async def test_heights_are_passed_on(autojump_clock: MockClock) -> None:
    """Ana hears of Carla from Bruno."""
    async with attended(FakeTable(record(3))) as (mesh, link):
        two, three = (acknowledged(CARLA, height, entry(height)) for height in (2, 3))
        await say(link, status(3, entry(3), carla=(CARLAS, two)))
        await heard_until_silence(link)
        assert mesh.heights == (3, 3, 2)
        assert mesh.heard(CARLAS)
        assert not mesh.heard_directly(CARLAS)
        assert (CARLAS, two) in mesh.known.status().others
        with trio.move_on_after(1) as scope:
            await mesh.everybody_has(3)
        assert scope.cancelled_caught
        await say(link, status(3, entry(3), carla=(CARLAS, three)))
        with trio.fail_after(1):
            await mesh.everybody_has(3)


FALSE_HEARSAY = {
    "not signed": (CARLAS, Acknowledgement(1 << 32, bytes(32), bytes(64))),
    "signed by who says it": (CARLAS, acknowledged(BRUNO, 2, entry(2))),
    "signed by a stranger": (CARLAS, acknowledged(EVE, 2, entry(2))),
    "of another table": (CARLAS, Acknowledgement.make(bytes(31) + b"1", 2, entry(2), CARLA.sign)),
    "further than the own record": (CARLAS, acknowledged(CARLA, 1 << 32, bytes(32))),
    "about who is told": (0, acknowledged(ANA, 99, bytes(32))),
    "about nobody": (5, acknowledged(CARLA, 2, entry(2))),
}


@pytest.mark.parametrize("hearsay", FALSE_HEARSAY.values(), ids=FALSE_HEARSAY)
async def test_what_a_member_makes_up_about_others_counts_for_nothing(
    autojump_clock: MockClock, hearsay: tuple[int, Acknowledgement]
) -> None:
    """Nor is it passed on."""
    async with attended(FakeTable(record(3))) as (mesh, link):
        await say(link, status(3, entry(3), other=hearsay))
        await heard_until_silence(link)
        assert mesh.heights == (3, 3, 0)
        assert not mesh.heard(CARLAS)
        assert [player for player, _ in mesh.known.status().others] == [1]
        assert mesh.linked == {1}


async def test_who_does_not_sign_how_far_they_are_is_cut_off(autojump_clock: MockClock) -> None:
    """Their words would be passed on as theirs."""
    async with attended(FakeTable(record(3))) as (mesh, link):
        await say(link, Status(acknowledged(CARLA, 3, entry(3))))
        with trio.fail_after(5):
            while mesh.linked:
                await trio.sleep(0.1)
        assert mesh.heights == (3, 0, 0)


async def test_what_somebody_says_of_themselves_is_not_passed_on_before_it_came(
    autojump_clock: MockClock,
) -> None:
    async with attended(FakeTable(record(3))) as (mesh, link):
        await say(link, status(1 << 32, bytes(32)))
        await heard_until_silence(link)
        assert mesh.known.status().others == ()


async def test_addresses_of_oneself_and_of_strangers_count_for_nothing(
    autojump_clock: MockClock,
) -> None:
    async with attended(FakeTable(record(3))) as (mesh, link):
        places = [Address(who.public, "10.0.0.66", 6) for who in (ANA, EVE)]
        await say(link, Whereabouts(tuple(places)))
        await heard_until_silence(link)
        assert {address.key for address in mesh.book} <= {BRUNO.public}


async def test_evidence_is_shown_to_who_comes_later(autojump_clock: MockClock) -> None:
    table = FakeTable(record(3), evidence=((2, b"proof"),))
    async with attended(table) as (_, link):
        messages = await heard_until_silence(link)
        assert Carry(2, b"proof") in messages


async def test_evidence_is_shown_to_who_comes_with_less_of_the_record(
    autojump_clock: MockClock,
) -> None:
    """They pass it over as long as they have not what was before it, and would not ask again."""
    length = 3 * WINDOW
    cheat = entry(length + 1)
    table = FakeTable(record(length), evidence=((length + 1, cheat),))
    async with attended(table) as (_, link):
        has = 0
        while has < length:
            await say(link, status(has, table.head_at(has)))
            heard = carried(await heard_until_silence(link))
            has = max(height for height in heard if height <= length)
        await say(link, status(length, table.head_at(length)))
        assert Carry(length + 1, cheat) in await heard_until_silence(link)


async def test_a_new_link_replaces_the_old_one(autojump_clock: MockClock) -> None:
    table = FakeTable(record(3))
    async with attended(table) as (mesh, old), memory_link_pair(BRUNO, ANA) as (new, ours):
        await heard_until_silence(old)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(mesh.serve, Caller(ours, Hello(table.table_id, 7)))
            assert isinstance(await hear(new), Agreed)
            assert isinstance(await failure_of(hear(old)), LinkClosed)
            assert mesh.linked == {1}
            nursery.cancel_scope.cancel()
