"""Messages that a node sends a member of its own accord, and their times."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import trio
from attrs import define, field
from trio.testing import MockClock

from p2p.discovery.address_book import Address
from p2p.storage.identity import Identity
from p2p.table.asides import AsideCode
from p2p.table.mesh import HEARTBEAT_SECONDS, RELAY_SECONDS, Mesh
from p2p.table.peer import WINDOW
from p2p.transport.endpoint import Caller, hear, say
from p2p.transport.frames import LinkClosed
from p2p.transport.link import Link
from p2p.transport.match_messages import Candidates
from p2p.transport.messages import (
    Acknowledgement,
    Aside,
    Carry,
    Hello,
    Message,
    Present,
    Probe,
    Status,
    Talk,
    Whereabouts,
)
from p2p.transport.spectator_messages import Watching
from protocol.charter import Member
from tests.p2p.machines import failure_of
from tests.p2p.memory_links import memory_link_pair
from tests.p2p.table.mesh_peers import (
    ANA,
    BRUNO,
    CARLA,
    CARLAS,
    EVE,
    FakeTable,
    GrowingTable,
    at_three,
    attended,
    carried,
    entry,
    grow,
    heard_until_silence,
    mesh_of,
    record,
    status,
)

pytestmark = pytest.mark.usefixtures("on_memory")

BRUNOS = 1


def statuses(messages: list[Message]) -> list[int]:
    return [message.height for message in messages if isinstance(message, Status)]


async def test_who_brings_an_entry_does_not_get_it_back(autojump_clock: MockClock) -> None:
    """Not even our own, which a node that came back hears from others."""
    table = GrowingTable(record(3))
    async with at_three(table) as (mesh, link):
        table.mesh = mesh
        await say(link, Carry(4, entry(4, branch=0)))
        assert not carried(await heard_until_silence(link, 2 * RELAY_SECONDS))
        assert table.height == 4


async def test_who_brings_an_entry_has_all_before_it(autojump_clock: MockClock) -> None:
    """So what comes after it is sent at once, and does not wait for their status."""
    table = GrowingTable(record(3))
    async with at_three(table) as (mesh, link):
        table.mesh = mesh
        for height in range(4, 5 + WINDOW):
            await say(link, Carry(height, entry(height, branch=BRUNOS)))
        await heard_until_silence(link, 0.01)
        assert table.height == 4 + WINDOW
        assert mesh.heights[BRUNOS] == 4 + WINDOW
        await grow(table, mesh, 0)
        assert carried(await heard_until_silence(link, 0.01)) == [5 + WINDOW]


@define(eq=False)
class SlowTable(GrowingTable):
    """Others run before it says that an entry was news."""

    async def carried(self, player: int, height: int, entry: bytes, /) -> bool:
        news = await super().carried(player, height, entry)
        await trio.sleep(0.001)
        return news


async def test_who_waits_for_a_member_hears_at_once_what_they_have_brought(
    autojump_clock: MockClock,
) -> None:
    table = SlowTable(record(3))
    async with at_three(table) as (mesh, link):
        table.mesh = mesh
        assert mesh.lacking(1) == {CARLAS}
        assert mesh.lacking(4) == {BRUNOS, CARLAS}
        await say(link, Carry(4, entry(4, branch=BRUNOS)))
        with trio.fail_after(0.01):
            while BRUNOS in mesh.lacking(4):
                await mesh.news()


async def test_who_hears_of_half_a_window_is_told_at_once_how_far_the_record_goes(
    autojump_clock: MockClock,
) -> None:
    """Else they would wait with half of what they may send."""
    table = FakeTable(record(3))
    async with at_three(table) as (mesh, link):
        for _ in range(WINDOW // 2 - 1):
            await grow(table, mesh, CARLAS)
        assert statuses(await heard_until_silence(link, 0.001)) == []
        height = await grow(table, mesh, CARLAS)
        assert statuses(await heard_until_silence(link, 0.001)) == [height]
        await grow(table, mesh, CARLAS)
        assert statuses(await heard_until_silence(link, 0.001)) == []


async def test_whoever_comes_is_told_what_the_others_know(autojump_clock: MockClock) -> None:
    candidates = Candidates((Member(EVE.public, "Eve", bytes(32)),))
    place = Address(CARLA.public, "10.1.0.1", 7)
    table = FakeTable(record(3), evidence=((2, b"proof"),), talk=(candidates,))
    mesh = mesh_of(table)
    mesh.book.learn(place, seen=True)
    async with linked(mesh, BRUNO) as link:
        told = await heard_until_silence(link, 0.01)
        assert told[0] == table.greeting()
        assert {*told[1:]} == {
            Whereabouts((place,)),
            mesh.known.status(),
            Carry(2, b"proof"),
            candidates,
        }


async def test_a_member_has_a_heartbeat_with_the_talk(
    autojump_clock: MockClock,
) -> None:
    """Though nothing has changed; and no more often than that."""
    candidates = Candidates((Member(EVE.public, "Eve", bytes(32)),))
    table = FakeTable(record(3), talk=(candidates,))
    async with attended(table) as (_, link):
        began = trio.current_time()
        await heard_until_silence(link, 1.5)
        heard: list[tuple[float, Message]] = []
        with trio.move_on_after(2 * HEARTBEAT_SECONDS):
            while True:
                message = await hear(link)
                heard.append((trio.current_time() - began, message))
        beats = [HEARTBEAT_SECONDS, 2 * HEARTBEAT_SECONDS]
        assert [at for at, each in heard if isinstance(each, Status)] == pytest.approx(beats)
        assert len(heard) == 4


async def test_what_has_changed_is_told_at_the_next_tick_and_once(
    autojump_clock: MockClock,
) -> None:
    """Where members are, what there is to tell of an absence, and how far others have come."""
    table = FakeTable(record(3))
    async with attended(table) as (mesh, link):
        await heard_until_silence(link, 1.5)
        place = Address(CARLA.public, "10.1.0.1", 7)
        mesh.learn((place,))
        assert await heard_until_silence(link, 1) == [Whereabouts((place,))]
        table.talk = (Candidates((Member(EVE.public, "Eve", bytes(32)),)),)
        assert await heard_until_silence(link, 1) == [*table.talk]
        said = Status(Acknowledgement.make(table.table_id, 2, entry(2), CARLA.sign))
        mesh.known.hear(CARLAS, CARLA.public, said)
        assert await heard_until_silence(link, 1) == [mesh.known.status()]
        assert await heard_until_silence(link, 1) == []


async def test_evidence_is_shown_again_when_it_can_be_judged(autojump_clock: MockClock) -> None:
    """Once: when somebody has come to the entry before it."""
    table = FakeTable(record(9), evidence=((5, b"proof"),))
    async with attended(table) as (_, link):
        await heard_until_silence(link)
        shown = []
        for height in range(1, 10):
            await say(link, status(height, table.head_at(height)))
            if Carry(5, b"proof") in await heard_until_silence(link, 0.01):
                shown.append(height)
        assert shown == [4]


async def test_all_are_shown_what_exposes_somebody_and_what_there_is_to_tell(
    autojump_clock: MockClock,
) -> None:
    table = FakeTable(record(3))
    async with attended(table) as (mesh, link):
        await heard_until_silence(link, 1.5)
        table.evidence = ((2, b"proof"), (7, b"another"))
        mesh.show_evidence()
        assert await heard_until_silence(link, 0.01) == [Carry(2, b"proof"), Carry(7, b"another")]
        table.talk = (Candidates(()),)
        mesh.show_talk()
        assert await heard_until_silence(link, 0.01) == [Candidates(())]


async def test_who_leaves_says_how_far_they_have_come(autojump_clock: MockClock) -> None:
    """With the last signature, say: nobody has to wait for a heartbeat of theirs."""
    table = FakeTable(record(3))
    async with attended(table) as (mesh, link):
        await heard_until_silence(link)
        table.record.append(entry(4))
        await mesh.leave()
        assert statuses([await hear(link)]) == [4]
        assert isinstance(await failure_of(hear(link)), LinkClosed)
        assert not mesh.linked


async def test_who_waits_for_news_hears_that_a_member_has_gone(autojump_clock: MockClock) -> None:
    async with attended(FakeTable(record(3))) as (mesh, link), trio.open_nursery() as nursery:
        await heard_until_silence(link)
        gone = mesh._peers[BRUNOS].gone
        nursery.start_soon(link.aclose)
        with trio.fail_after(5):
            await mesh.news()
        assert not mesh.linked
        assert gone.is_set()  # who keeps a link to them calls again


async def test_who_waits_for_news_hears_that_the_record_has_grown(
    autojump_clock: MockClock,
) -> None:
    table = FakeTable(record(3))
    async with attended(table) as (mesh, link), trio.open_nursery() as nursery:
        await heard_until_silence(link)
        nursery.start_soon(grow, table, mesh, 0)
        with trio.fail_after(0.01):
            await mesh.news()


@define(eq=False)
class ListeningTable(FakeTable):
    """Notes what it is told."""

    heard: list[tuple[int, Talk]] = field(factory=list)

    async def on_talk(self, player: int, talk: Talk, /) -> bool:
        self.heard.append((player, talk))
        return False


async def test_what_a_member_tells_of_others_is_heard(autojump_clock: MockClock) -> None:
    """Where they are, and what there is to tell of an absence or of who watches."""
    table = ListeningTable(record(3))
    candidates, watching = Candidates((Member(EVE.public, "Eve", bytes(32)),)), Watching(())
    async with attended(table) as (mesh, link):
        place = Address(CARLA.public, "10.1.0.1", 7)
        for message in (candidates, watching, Whereabouts((place,))):
            await say(link, message)
        await heard_until_silence(link)
        assert table.heard == [(BRUNOS, candidates), (BRUNOS, watching)]
        assert mesh.book.of(CARLA.public) == (("10.1.0.1", 7),)


# -- a second link


@asynccontextmanager
async def linked(mesh: Mesh, who: Identity) -> AsyncIterator[Link]:
    """Open the other end of another link of that member."""
    async with memory_link_pair(who, ANA) as (theirs, ours), trio.open_nursery() as nursery:
        nursery.start_soon(mesh.serve, Caller(ours, Hello(mesh.replica.table_id, 7)))
        yield theirs
        nursery.cancel_scope.cancel()


async def test_a_link_that_is_replaced_stays_for_a_moment(autojump_clock: MockClock) -> None:
    """It may be that of a machine with the same key, to which questions are passed on."""
    async with attended(FakeTable(record(3))) as (mesh, old), linked(mesh, BRUNO) as new:
        await heard_until_silence(new, 0.5)
        nonce, signature = bytes(32), bytes(64)
        await say(new, Probe(BRUNOS, nonce))
        assert Probe(BRUNOS, nonce) in await heard_until_silence(old, 0.1)
        assert await heard_until_silence(new, 0.1) == []
        await say(old, Present(BRUNOS, nonce, signature))
        assert await heard_until_silence(new, 0.1) == [Present(BRUNOS, nonce, signature)]
        assert await heard_until_silence(old, 0.1) == []
        with trio.fail_after(1):
            assert isinstance(await failure_of(hear(old)), LinkClosed)
        assert mesh.linked == {BRUNOS}


async def test_a_question_is_passed_on_to_the_other_members(autojump_clock: MockClock) -> None:
    async with attended(FakeTable(record(3))) as (mesh, bruno), linked(mesh, CARLA) as carla:
        for link in (bruno, carla):
            await heard_until_silence(link, 0.01)
        probe = Probe(BRUNOS, bytes(32))
        await say(bruno, probe)
        assert await heard_until_silence(carla, 0.01) == [probe]
        assert await heard_until_silence(bruno, 0.01) == []


async def test_a_question_about_who_is_not_here_goes_to_nobody(autojump_clock: MockClock) -> None:
    async with attended(FakeTable(record(3)), CARLA) as (mesh, carla):
        await heard_until_silence(carla)
        await say(carla, Probe(BRUNOS, bytes(32)))
        assert await heard_until_silence(carla) == []
        assert mesh.linked == {CARLAS}


@pytest.mark.parametrize("is_here", [False, True])
async def test_a_member_on_this_machine_is_told_who_else_is_on_it(
    autojump_clock: MockClock, is_here: bool
) -> None:
    places = [Address(CARLA.public, host, 7) for host in ("10.1.0.1", "127.0.0.1")]
    async with attended(FakeTable(record(3))) as (mesh, link):
        for place in reversed(places):
            mesh.book.learn(place, seen=True)
        link.address = "127.0.0.1" if is_here else "10.1.0.2"
        assert mesh.whereabouts_for(link).addresses == tuple(places if is_here else places[:1])


async def test_a_caller_is_found_where_they_have_called_from(autojump_clock: MockClock) -> None:
    """Before all places that others tell; and their link is no stranger's any more."""
    settled: list[bool] = []
    mesh = mesh_of(FakeTable(record(3)))
    mesh.learn((Address(BRUNO.public, "10.1.0.1", 7),))
    async with memory_link_pair(BRUNO, ANA) as (theirs, ours), trio.open_nursery() as nursery:
        ours.address = "10.1.0.2"
        ours.tell_of(lambda: None, lambda: settled.append(True))
        nursery.start_soon(mesh.serve, Caller(ours, Hello(mesh.replica.table_id, 9)))
        await hear(theirs)
        assert mesh.book.of(BRUNO.public) == (("10.1.0.2", 9), ("10.1.0.1", 7))
        assert settled == [True]
        nursery.cancel_scope.cancel()


async def test_who_was_back_for_a_moment_only_has_gone(autojump_clock: MockClock) -> None:
    """Whoever has said goodbye is there again when a link to them lasts."""
    mesh = mesh_of(FakeTable(record(3)))
    async with linked(mesh, BRUNO) as link:
        await say(link, Aside(AsideCode.LEAVING))
        await heard_until_silence(link)
    async with linked(mesh, BRUNO) as link:
        await heard_until_silence(link, 1)
    await trio.sleep(10)
    assert mesh.asides.left == {BRUNOS}
    async with linked(mesh, BRUNO) as link:
        await heard_until_silence(link, 3.5)
        assert mesh.asides.left == set()
