"""Phrases beside the game, their limits, and members who say that they leave."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio

from p2p.match.match_node import MatchNode
from p2p.table.asides import AsideCode, Asides, Spoken
from p2p.table.mesh import Mesh
from p2p.transport.endpoint import say
from p2p.transport.link import Link
from p2p.transport.messages import Aside
from protocol.errors import Refused
from protocol.state import State
from tests.p2p.machines import Machines
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
    spoken = []
    while True:
        try:
            spoken.append(channel.receive_nowait())
        except trio.WouldBlock:
            return spoken


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


async def test_asides_of_the_own_client_are_limited_too() -> None:
    async with listening() as (mesh, link, _):
        for _phrase in range(3):
            mesh.asides.say(AsideCode.ONE_MOMENT)
        with pytest.raises(Refused, match="one moment"):
            mesh.asides.say(AsideCode.ONE_MOMENT)
        said = [each for each in await heard_until_silence(link) if isinstance(each, Aside)]
        assert len(said) == 3


@pytest.mark.parametrize("number", [6, 15, 19, 65_535])
async def test_an_unknown_phrase_of_a_newer_version_is_skipped(number: int) -> None:
    async with listening() as (mesh, link, heard):
        await say(link, Aside(number))
        await heard_until_silence(link)
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
    asides = Asides(0, lambda _code: None, lambda: False)
    heard = asides.listen()
    asides.linked(BRUNOS, yes=True)
    assert asides.left == frozenset()
    for _ in range(2):
        asides.hear(BRUNOS, AsideCode.LEAVING)
    asides.linked(BRUNOS, yes=False)
    assert told(heard) == [Spoken(BRUNOS, AsideCode.LEAVING)], "the goodbye is not heard just once"
    assert asides.left == {BRUNOS}
    asides.linked(BRUNOS, yes=True)  # a machine that is stopping still answers for a moment
    await trio.sleep(1)
    asides.linked(BRUNOS, yes=False)
    await trio.sleep(10)
    assert asides.left == {BRUNOS}
    asides.linked(BRUNOS, yes=True)
    await trio.sleep(3)
    assert asides.left == frozenset()


async def test_a_link_brings_a_member_back_who_said_goodbye() -> None:
    table = Table()
    async with linked(table) as link:
        await say(link, Aside(AsideCode.LEAVING))
        await heard_until_silence(link)
    await trio.sleep(10)
    assert table.mesh.asides.left == {BRUNOS}
    async with linked(table):
        await trio.sleep(1)
    await trio.sleep(10)
    assert table.mesh.asides.left == {BRUNOS}, "the link has not lasted"
    async with linked(table):
        await trio.sleep(4)
        assert not table.mesh.asides.left


async def test_a_member_who_leaves_says_goodbye_and_the_others_know_at_once(tmp_path: Path) -> None:
    machines = Machines.make(2, tmp_path)
    await machines.sit_down(rounds=1)
    left_at: list[float] = []
    known_at: list[float] = []

    async def leave(node: MatchNode) -> None:
        while node.height < 12:
            await node.progress.wait()
        left_at.append(trio.current_time())
        node.leave()

    async def listen(node: MatchNode) -> None:
        spoken = await anext(node.asides.listen())
        assert spoken == Spoken(0, AsideCode.LEAVING)
        known_at.append(trio.current_time())
        await trio.sleep(30)
        assert node.asides.left == {0}
        assert node.node.peers.linked == frozenset()
        node.leave()

    for machine, steward in zip(machines.all, (leave, listen), strict=True):
        machine.steward = steward
    await machines.play()
    machines.check_consistent()
    assert known_at[0] - left_at[0] < 1


async def test_a_wish_for_a_rematch_is_heard_while_others_look_at_the_end(tmp_path: Path) -> None:
    machines = Machines.make(2, tmp_path)
    await machines.sit_down(rounds=1)
    for machine in machines.all:
        machine.make_node = Lingering
    heard: list[Spoken] = []

    async def wish(node: MatchNode) -> None:
        while not node.state.complete:
            await node.progress.wait()
        await trio.sleep(130)  # longer than the grace
        assert (node.awaited, node.missing) == (None, frozenset())
        node.asides.say(AsideCode.REMATCH)
        node.stop()

    async def listen(node: MatchNode) -> None:
        heard.append(await anext(node.asides.listen()))
        node.leave()

    for machine, steward in zip(machines.all, (wish, listen), strict=True):
        machine.steward = steward
    await machines.play()
    assert heard == [Spoken(0, AsideCode.REMATCH)]


class Lingering(MatchNode):
    """A node that keeps running after the match, while its person looks at the end."""

    async def run(self, *, linger: bool = True) -> State:
        return await super().run(linger=linger)
