"""The mesh of links to the members of a table: links admitted, links closed, messages sent.

The scenarios in `tests/protocol/table/peers` show what a node tells its peers, and when.
"""

from collections.abc import Callable
from functools import partial
from itertools import count
from types import SimpleNamespace
from typing import Any

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from p2p.background_task import beside
from p2p.discovery.address_book import Address
from p2p.refusals import Reason
from p2p.table.calls import MemberLink
from p2p.table.mesh import Mesh
from p2p.transport.endpoint import Caller, Declined, hear, say
from p2p.transport.frames import LinkClosed, SlowReader
from p2p.transport.lobby_messages import Ready
from p2p.transport.messages import (
    Agreed,
    Aside,
    Hello,
    Message,
    Noted,
    Talk,
    Whereabouts,
    unpack,
)
from p2p.transport.spectator_messages import Watching
from protocol.charter import Member
from protocol.match.messages import Candidates
from protocol.table import tasks
from protocol.table.events import Grown, Heard, Linked, TableEvent, Taken
from protocol.table.messages import Carry
from protocol.table.peer import WINDOW
from protocol.table.peers import HEARTBEAT_SECONDS
from tests.p2p.machines import failure_of
from tests.p2p.memory_network import memory_link_pair
from tests.p2p.table.in_memory_mesh import (
    ANA,
    BRUNO,
    BRUNOS,
    CARLA,
    CARLAS,
    EVE,
    MEMBERS,
    Table,
    carried,
    entry_of,
    heard_until_silence,
    linked,
    status,
)

pytestmark = pytest.mark.usefixtures("autojump_clock", "on_memory")


async def test_a_member_is_greeted_and_sent_entries_from_the_disk() -> None:
    """Old entries are read from the disk, as they are no longer in memory."""
    async with linked(table := Table(100)) as link:
        assert await hear(link) == Agreed(b"charter")
        await say(link, status(3))
        messages = await heard_until_silence(link)
        assert carried(messages) == [*range(4, 4 + WINDOW)]
        assert Carry(4, entry_of(4)) in messages
        assert table.read == [(4, WINDOW)]


async def test_a_stranger_gets_nothing() -> None:
    async with linked(table := Table(), EVE) as link:
        error = await failure_of(hear(link))
        assert isinstance(error, Declined)
        assert error.reason == Reason.NO_TABLE  # the same reason as if there were no such table
        assert not table.mesh.peers.linked


FLOODS: dict[str, Callable[[int], Message]] = {
    "the same height": lambda _: status(3),
    "the same entry": lambda _: Carry(2, entry_of(2)),
    "the same addresses": lambda _: Whereabouts(()),
    "greetings": lambda _: Agreed(b""),
    "phrases": lambda _: Aside(1),
    "rising heights": lambda n: status(4 + n),
    "changing addresses": lambda n: Whereabouts((Address(CARLA.public, f"10.1.2.{n % 250}", 7),)),
    "changing talk": lambda n: Candidates((Member(EVE.public, "Eve", n.to_bytes(32, "big")),)),
}
"""Floods of messages, by name: each function returns the message with a number, from 0 on."""


@pytest.mark.parametrize("flood", FLOODS.values(), ids=FLOODS)
async def test_a_member_who_sends_much_but_no_news_is_cut_off(
    flood: Callable[[int], Message],
) -> None:
    """A member can make up rising heights, so these are no news either."""
    table, numbers = Table(), count()

    async def talk() -> None:
        for number in numbers:
            await say(link, flood(number))

    async with linked(table) as link, beside(partial(failure_of, talk())):
        with trio.fail_after(20):
            assert isinstance(await failure_of(heard_until_silence(link, 30)), LinkClosed)
        assert not table.mesh.peers.linked
        assert next(numbers) < 1000


async def test_a_member_who_sends_slowly_or_confirms_each_entry_is_not_cut_off() -> None:
    async with linked(table := Table()) as link:
        for _ in range(450):
            await say(link, status(3))
            await heard_until_silence(link, HEARTBEAT_SECONDS)
        for number in range(4, 454):
            table.mesh.chain.append(entry_of(number), entry_of(number))
            await say(link, status(number))
            await heard_until_silence(link, 0.001)
        assert table.mesh.peers.known.all == (453, 453, 0)
        assert table.mesh.peers.linked == {BRUNOS}


async def test_an_entry_is_heard_before_it_is_taken_and_noted_after_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told, react = list[object](), Mesh._react

    def noted(mesh: Mesh, event: TableEvent[Talk]) -> tasks.Ready[Talk]:
        told.append(event)
        return react(mesh, event)

    monkeypatch.setattr(Mesh, "_react", noted)
    async with linked(Table()) as link:
        await heard_until_silence(link)
        told.clear()
        new, old = Carry(4, entry_of(4)), Carry(2, entry_of(2))
        for message in (new, old):
            await say(link, message)
        await trio.sleep(0.1)
    ours = [one for one in told if isinstance(one, Heard | Taken | Grown)]
    assert ours == [
        Heard(0, new),
        Grown(BRUNOS, None),
        Taken(0, 4, True),
        Heard(0, old),
        Taken(0, 2, False),
    ]


@pytest.mark.parametrize(
    "message", [Ready(True), Noted(), Carry(4, b"bad")], ids=lambda message: message.kind
)
async def test_nonsense_ends_the_link(message: Message) -> None:
    async with linked(table := Table()) as link:
        await say(link, message)
        with trio.fail_after(5):
            assert isinstance(await failure_of(heard_until_silence(link, 9)), LinkClosed)
        assert not table.mesh.peers.linked


async def test_a_member_who_does_not_read_delays_nothing() -> None:
    async with linked(table := Table(0)) as link:
        await say(link, status(0))
        await trio.sleep(0.5)
        for _ in range(200):
            await table.mesh.grow(0)  # returns at once, whatever the member does
        for _ in range(2000):
            table.talk = (Candidates((Member(EVE.public, "Eve", bytes(32)),)), *table.talk[:1])
            table.mesh.show_talk()


async def test_what_a_member_did_not_read_is_sent_again_after_their_next_status() -> None:
    mesh, sent = Table().mesh, list[Message]()
    is_slow = False

    def send(frame: bytes) -> None:
        if is_slow:
            raise SlowReader("The queue is full.")
        sent.append(unpack(frame))

    link: Any = SimpleNamespace(peer=BRUNO.public, send_nowait=send)
    mesh._links[0] = mesh._newest[BRUNOS] = MemberLink(link, BRUNOS, 0)
    await mesh._handle(Linked(0, BRUNOS))
    await mesh._handle(Heard(0, status(3)))
    is_slow = True
    await mesh.grow(0)
    is_slow = False
    await mesh._handle(Heard(0, status(3)))
    assert carried(sent) == [4]


async def test_a_new_link_replaces_the_old_one_which_stays_for_a_moment() -> None:
    """The old link may be from another machine with the same key."""
    async with linked(table := Table()) as old:
        await heard_until_silence(old)
        gone = table.mesh._newest[BRUNOS].gone
        async with linked(table) as new:
            assert isinstance(await hear(new), Agreed)
            await trio.sleep(0.9)
            assert not gone.is_set()
            assert isinstance(await failure_of(hear(old)), LinkClosed)
            assert gone.is_set()  # so that whoever kept that link calls again
            assert table.mesh.peers.linked == {BRUNOS}


async def test_a_task_that_waits_for_news_hears_of_the_record_and_the_members() -> None:
    async with linked(table := Table()) as link, trio.open_nursery() as nursery:
        await heard_until_silence(link)
        for news in (lambda: table.mesh.grow(0), lambda: say(link, status(2)), link.aclose):
            nursery.start_soon(news)
            with trio.fail_after(5):
                await table.mesh.news()
        assert not table.mesh.peers.linked


async def test_the_wait_for_others_ends_with_the_last_confirmation() -> None:
    async with linked(table := Table()) as link:
        table.mesh.peers.known.see(CARLAS, 3)
        await say(link, status(2))
        with trio.move_on_after(1) as scope:
            await table.mesh.everybody_has(3)
        assert scope.cancelled_caught
        await say(link, status(3))
        with trio.fail_after(1):
            await table.mesh.everybody_has(3)


async def test_a_node_that_leaves_sends_its_height_and_accepts_no_new_links() -> None:
    async with linked(table := Table()) as link:
        await heard_until_silence(link)
        await table.mesh.leave()
        assert await hear(link) == table.mesh.peers.known.status()
        assert isinstance(await failure_of(hear(link)), LinkClosed)
        async with memory_link_pair(BRUNO, ANA) as (theirs, ours):
            await table.mesh.serve(Caller(ours, Hello(bytes(32), 7)))
            assert isinstance(await failure_of(hear(theirs)), Declined)


async def test_a_mesh_without_a_running_table_takes_no_entries() -> None:
    """The node of a running table overrides `Mesh.carried`."""
    mesh = Table().mesh
    assert not await Mesh.carried(mesh, BRUNOS, 4, entry_of(4))


async def test_talk_and_the_addresses_of_members_are_exchanged() -> None:
    """Addresses of this node itself and of strangers are ignored."""
    candidates, watching = Candidates((Member(EVE.public, "Eve", bytes(32)),)), Watching(())
    table = Table(talk=(candidates,))
    place = Address(CARLA.public, "10.1.0.1", 7)
    table.mesh.book.learn(place, seen=True)
    async with linked(table) as link:
        assert {Whereabouts((place,)), candidates} <= {*await heard_until_silence(link, 0.1)}
        await heard_until_silence(link, 1.5)
        for message in (candidates, watching):
            await say(link, message)
        moved, *others = (Address(who.public, "10.1.0.2", 7) for who in (CARLA, ANA, EVE))
        await say(link, Whereabouts((moved, *others)))
        table.talk = (watching,)
        assert {*await heard_until_silence(link, 1.5)} == {Whereabouts((place, moved)), watching}
        assert table.heard == [(BRUNOS, candidates), (BRUNOS, watching)]
        assert {address.key for address in table.mesh.book} <= {BRUNO.public, CARLA.public}


@pytest.mark.parametrize("is_here", [False, True])
async def test_loopback_addresses_are_told_only_to_peers_on_this_machine(is_here: bool) -> None:
    """Such addresses from other machines are ignored: here they would mean this machine."""
    table = Table()
    places = [Address(CARLA.public, host, 7) for host in ("10.1.0.1", "127.0.0.1")]
    for place in reversed(places):
        table.mesh.book.learn(place, seen=True)
    async with linked(table) as link:
        await heard_until_silence(link)
        ours = table.mesh._newest[BRUNOS].link
        ours.address = "127.0.0.1" if is_here else "10.1.0.2"
        told = table.mesh.whereabouts_for(ours).addresses
        assert {*places[: 1 + is_here]} == {place for place in told if place in places}
        await say(link, Whereabouts((Address(CARLA.public, "127.0.0.9", 631),)))
        await heard_until_silence(link)
        assert (("127.0.0.9", 631) in table.mesh.book.of(CARLA.public)) == is_here


async def test_a_caller_can_be_called_back_at_their_address() -> None:
    """The address comes before all addresses that others tell.

    The link is settled: it does not count as a stranger's any more.
    """
    settled: list[bool] = []
    mesh = Table().mesh
    mesh.learn((Address(BRUNO.public, "10.1.0.1", 7),))
    async with memory_link_pair(BRUNO, ANA) as (theirs, ours), trio.open_nursery() as nursery:
        ours.address = "10.1.0.2"
        ours.settle = lambda: settled.append(True)
        nursery.start_soon(mesh.serve, Caller(ours, Hello(bytes(32), 9)))
        await hear(theirs)
        assert mesh.book.of(BRUNO.public) == (("10.1.0.2", 9), ("10.1.0.1", 7))
        assert settled == [True]
        nursery.cancel_scope.cancel()


async def test_the_player_for_whom_the_table_waits_gets_an_entry_first() -> None:
    """The awaited member gets it first although Trio runs tasks in any order."""
    table = Table()
    mesh, sent = table.mesh, list[int]()

    async def pump(player: int, waiting: trio.MemoryReceiveChannel[bytes]) -> None:
        async for frame in waiting:
            if isinstance(unpack(frame), Carry):
                sent.append(player)

    async with trio.open_nursery() as nursery:
        for player in (BRUNOS, CARLAS):
            queue, waiting = trio.open_memory_channel[bytes](9)
            link: Any = SimpleNamespace(peer=MEMBERS[player].key, send_nowait=queue.send_nowait)
            mesh._links[player] = mesh._newest[player] = MemberLink(link, player, player)
            mesh.peers.handle(Linked(player, player), 0)
            nursery.start_soon(pump, player, waiting)
        await wait_all_tasks_blocked()
        for awaited in (BRUNOS, CARLAS) * 8:
            for player in (BRUNOS, CARLAS):
                mesh.peers._peers[player].has_shown(mesh.chain.height)
            await table.mesh.grow(0, awaited)
            await wait_all_tasks_blocked()
            assert sent == [awaited, 3 - awaited]
            sent.clear()
        nursery.cancel_scope.cancel()
