"""Phrases beside the game, their limits, and members who say that they leave."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import trio

from p2p.table.asides import AsideCode, Spoken
from p2p.table.mesh import Mesh
from p2p.transport.endpoint import say
from p2p.transport.link import Link
from p2p.transport.messages import Aside
from protocol.errors import Refused
from tests.p2p.table.in_memory_mesh import BRUNOS, Table, heard_until_silence, linked

pytestmark = pytest.mark.usefixtures("autojump_clock", "on_memory", "without_proofs")


@asynccontextmanager
async def listening(
    table: Table | None = None,
) -> AsyncIterator[tuple[Mesh, Link, trio.MemoryReceiveChannel[Spoken]]]:
    """Yield Ana's mesh, Bruno's end of a link to it, and a channel to Ana's client."""
    table = table or Table()
    async with linked(table) as link:
        await heard_until_silence(link)
        yield table.mesh, link, table.mesh.asides.listen()


def told(channel: trio.MemoryReceiveChannel[Spoken]) -> list[Spoken]:
    """Return everything heard so far."""
    return [channel.receive_nowait() for _ in range(channel.statistics().current_buffer_used)]


async def test_a_phrase_is_heard_and_the_record_stays_as_it_is() -> None:
    async with listening() as (mesh, link, heard):
        await say(link, Aside(AsideCode.WELL_PLAYED))
        await heard_until_silence(link)
        assert told(heard) == [Spoken(BRUNOS, AsideCode.WELL_PLAYED)]
        assert mesh.chain.height == 3
        mesh.asides.say(AsideCode.THANK_YOU)
        assert Aside(AsideCode.THANK_YOU) in await heard_until_silence(link)
        assert told(heard) == [Spoken(0, AsideCode.THANK_YOU)]


async def test_a_member_who_sends_too_many_phrases_is_heard_only_now_and_then() -> None:
    async with listening() as (mesh, link, heard):
        for _ in range(100):
            await say(link, Aside(AsideCode.GOOD_LUCK))
        await heard_until_silence(link)
        assert len(told(heard)) == 3
        assert BRUNOS in mesh.peers.linked, "too many phrases have ended the link"
        await trio.sleep(5)
        for _ in range(10):
            await say(link, Aside(AsideCode.GOOD_LUCK))
        await heard_until_silence(link)
        assert len(told(heard)) == 1


async def test_phrases_of_the_nodes_own_client_are_limited_too() -> None:
    async with listening() as (mesh, link, _):
        for _phrase in range(3):
            mesh.asides.say(AsideCode.ONE_MOMENT)
        with pytest.raises(Refused, match="one moment"):
            mesh.asides.say(AsideCode.ONE_MOMENT)
        said = [each for each in await heard_until_silence(link) if isinstance(each, Aside)]
        assert len(said) == 3


async def test_an_unknown_phrase_of_a_newer_version_is_skipped() -> None:
    async with listening() as (mesh, link, heard):
        for number in (6, 15, 19, 65_535):
            await say(link, Aside(number))
            await trio.sleep(5)
        assert told(heard) == []
        assert BRUNOS in mesh.peers.linked


async def test_a_rematch_can_be_wished_for_only_after_the_match() -> None:
    table = Table()
    async with listening(table) as (mesh, link, heard):
        await say(link, Aside(AsideCode.REMATCH))
        await heard_until_silence(link)
        assert told(heard) == []
        with pytest.raises(Refused, match="not over yet"):
            mesh.asides.say(AsideCode.REMATCH)
        table.is_complete = True
        await say(link, Aside(AsideCode.REMATCH_OTHER_SEATS))
        await heard_until_silence(link)
        assert told(heard) == [Spoken(BRUNOS, AsideCode.REMATCH_OTHER_SEATS)]


async def test_a_member_who_said_goodbye_is_away_until_they_are_back_for_good() -> None:
    """A goodbye is heard once. A member is back for good after a link of three seconds.

    A shorter link tells nothing: a machine that is stopping still answers for a moment.
    """
    table = Table()
    heard = table.mesh.asides.listen()
    async with linked(table) as link:
        await heard_until_silence(link)
        assert table.mesh.asides.left == frozenset()
        for _ in range(2):
            await say(link, Aside(AsideCode.LEAVING))
        await heard_until_silence(link)
    assert told(heard) == [Spoken(BRUNOS, AsideCode.LEAVING)]
    for seconds, left in ((2.9, {BRUNOS}), (3, set())):
        await trio.sleep(10)
        assert table.mesh.asides.left == {BRUNOS}
        async with linked(table):
            await trio.sleep(seconds)
            assert table.mesh.asides.left == left
