"""Which entries a node passes on to a member, and when."""

from types import SimpleNamespace
from typing import Any

import trio
from attrs import evolve
from trio.testing import MockClock, wait_all_tasks_blocked

from p2p.table.mesh import CONFIRM_SECONDS, RELAY_SECONDS
from p2p.table.peer import WINDOW, Peer
from p2p.table.relaying import Relaying
from p2p.transport.endpoint import say
from p2p.transport.messages import Carry, Status, unpack
from tests.p2p.table.mesh_peers import (
    CARLAS,
    MEMBERS,
    FakeTable,
    GrowingTable,
    at_three,
    carried,
    entry,
    grow,
    heard_until_silence,
    mesh_of,
    record,
    status,
)


async def test_who_gets_an_entry_from_its_writer_does_not_get_it_from_us_too(
    autojump_clock: MockClock,
) -> None:
    table = FakeTable(record(3))
    async with at_three(table) as (mesh, link):
        height = await grow(table, mesh, CARLAS)
        told = await heard_until_silence(link, CONFIRM_SECONDS + 0.01)
        assert [message.height for message in told if isinstance(message, Status)] == [height]
        await say(link, status(height, table.head_at(height)))
        assert not carried(await heard_until_silence(link, 2 * RELAY_SECONDS))
        await grow(table, mesh, 0)  # our own goes out at once
        assert carried(await heard_until_silence(link, 0.01)) == [5]


async def test_who_has_no_link_to_the_writer_gets_entries_from_us(
    autojump_clock: MockClock,
) -> None:
    """The first after a while, the others at once."""
    table = FakeTable(record(3))
    async with at_three(table) as (mesh, link):
        await grow(table, mesh, CARLAS)
        assert not carried(await heard_until_silence(link, RELAY_SECONDS - 0.01))
        assert carried(await heard_until_silence(link, 0.02)) == [4]
        await grow(table, mesh, CARLAS)
        assert carried(await heard_until_silence(link, 0.01)) == [5]


async def test_who_says_that_they_need_no_help_gets_none_any_more(
    autojump_clock: MockClock,
) -> None:
    """After a slow moment, in which they had confirmed nothing."""
    table = FakeTable(record(3))
    async with at_three(table) as (mesh, link):
        await grow(table, mesh, CARLAS)
        assert carried(await heard_until_silence(link, RELAY_SECONDS + 0.01)) == [4]
        await say(link, evolve(status(4, table.head_at(4)), direct=(CARLAS,)))
        await heard_until_silence(link)
        await grow(table, mesh, CARLAS)
        assert not carried(await heard_until_silence(link, RELAY_SECONDS - 0.01))


async def test_our_own_entry_goes_out_with_those_before_it(autojump_clock: MockClock) -> None:
    """Whoever gets it earlier than what it continues could do nothing with it."""
    table = FakeTable(record(3))
    async with at_three(table) as (mesh, link):
        await grow(table, mesh, CARLAS)
        await grow(table, mesh, 0)
        assert carried(await heard_until_silence(link, 0.01)) == [4, 5]


async def test_our_own_entry_goes_out_alone_to_who_gets_the_others_from_their_writers(
    autojump_clock: MockClock,
) -> None:
    """The entries before it go to them as soon as they say that they lack them."""
    table = FakeTable(record(3))
    async with at_three(table, CARLAS) as (mesh, link):
        await grow(table, mesh, CARLAS)
        await grow(table, mesh, 0)
        assert carried(await heard_until_silence(link, 0.01)) == [5]
        await say(link, evolve(status(3, table.head_at(3)), direct=(CARLAS,)))
        assert carried(await heard_until_silence(link, 0.01)) == [4]


async def test_who_carries_what_we_cannot_append_yet_hears_how_far_we_are(
    autojump_clock: MockClock,
) -> None:
    """They may have what comes before it."""
    async with at_three(FakeTable(record(3))) as (_, link):
        await say(link, Carry(5, entry(5)))
        (answer,) = await heard_until_silence(link, 0.01)
        assert isinstance(answer, Status)
        assert answer.height == 3


async def test_whose_entries_come_from_themselves_is_told(autojump_clock: MockClock) -> None:
    table = GrowingTable(record(3))
    async with at_three(table) as (mesh, link):
        table.mesh = mesh
        for height, writer, direct in ((4, 1, (1,)), (5, CARLAS, (1,)), (6, 1, (1,))):
            await say(link, Carry(height, entry(height, writer)))
            await heard_until_silence(link, 0.01)
            assert mesh.known.status().direct == direct
        mesh.known.came(CARLAS, CARLAS)
        assert mesh.known.status().direct == (1, CARLAS)
        await say(link, Carry(7, entry(7, CARLAS)))  # by Bruno
        await heard_until_silence(link, 0.01)
        assert mesh.known.status().direct == (1,)


# -- what is due


def peer_at(height: int, *direct: int) -> Peer:
    link: Any = None
    peer = Peer(link, 1)
    peer.hears(evolve(status(height, entry(height)), direct=direct))
    return peer


async def test_what_others_write_is_due_to_who_lacks_it_before_an_entry_of_ours() -> None:
    """At once; without one, when they do not say that it comes to them, and only after a while."""
    relaying, helped, direct = Relaying(0, 3), peer_at(3), peer_at(3, CARLAS)
    relaying.grown(4, CARLAS)
    for peer in (helped, direct):
        assert relaying.is_due(peer, 3)  # an old one
        assert not relaying.is_due(peer, 4)
        assert not relaying.is_due(peer, 4, asked=True)
    relaying.grown(5, 0)
    assert relaying.is_due(helped, 4)
    assert not relaying.is_due(direct, 4)
    assert relaying.is_due(direct, 4, asked=True)
    assert relaying.is_due(direct, 5)
    relaying.grown(6, CARLAS)
    assert not relaying.is_due(helped, 6)
    relaying.grown(5, CARLAS)  # ours was taken back, and that one stands in its place
    assert not relaying.is_due(helped, 5)
    assert relaying.is_due(helped, 4)


async def test_what_is_settled_is_due_and_who_has_not_confirmed_it_is_helped_from_then_on() -> None:
    relaying, late, has = Relaying(0, 3), peer_at(2), peer_at(4)
    relaying.grown(4, CARLAS)
    relaying.grown(5, CARLAS)
    relaying.settle(4, (late, has))
    assert relaying.is_due(has, 4)
    assert not relaying.is_due(has, 5)
    assert relaying.is_due(late, 5)
    assert (late.relayed, has.relayed) == ({CARLAS}, set())
    relaying.settle(3, ())
    relaying.grown(5, CARLAS)
    assert relaying.is_due(has, 4)
    relaying.grown(3, CARLAS)  # entries were taken back
    assert not relaying.is_due(has, 3)
    assert relaying.is_due(has, 2)


async def test_what_is_on_its_way_needs_no_help() -> None:
    relaying, peer = Relaying(0, 3), peer_at(3)
    relaying.grown(4, CARLAS)
    peer.has_carried(4)
    relaying.settle(4, (peer,))
    assert peer.relayed == set()


async def test_who_has_written_is_known_of_the_newest_entries() -> None:
    relaying = Relaying(0)
    for height in range(1, WINDOW + 2):
        relaying.grown(height, CARLAS)
    assert relaying.writer(1) is None
    assert relaying.writer(2) == relaying.writer(WINDOW + 1) == CARLAS


async def test_whom_the_table_waits_for_gets_an_entry_first(
    autojump_clock: MockClock,
) -> None:
    """Before there is anything for the others."""
    table = FakeTable(record(3))
    mesh = mesh_of(table)
    sent: list[int] = []

    async def pump(player: int, waiting: trio.MemoryReceiveChannel[bytes]) -> None:
        async for frame in waiting:
            if isinstance(unpack(frame), Carry):
                sent.append(player)

    async with trio.open_nursery() as nursery:
        for player in (1, 2):
            queue, waiting = trio.open_memory_channel[bytes](9)
            link = SimpleNamespace(peer=MEMBERS[player].key, send_nowait=queue.send_nowait)
            mesh._peers[player] = Peer(link, player, has=3, told=mesh.known.status())  # type: ignore[arg-type]
            nursery.start_soon(pump, player, waiting)
        await wait_all_tasks_blocked()
        for awaited in (1, 2) * 8:  # Trio's order is another one each time
            table.record.append(entry(table.height + 1))
            await mesh.advanced(0, awaited)
            await wait_all_tasks_blocked()
            for player in (1, 2):
                mesh._peers[player].has_shown(table.height)
            assert sent == [awaited, 3 - awaited]
            sent.clear()
        nursery.cancel_scope.cancel()
