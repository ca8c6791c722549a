"""Each player can end the watching of a spectator, at all nodes (nodes.md, 3.9)."""

from pathlib import Path

import pytest
import trio

from p2p.match.match_node import MatchNode
from p2p.refusals import Reason
from p2p.transport.endpoint import Declined, hear, say
from p2p.transport.link import Link
from p2p.transport.spectator_messages import MOST_BARRED, Spectator, Watch
from protocol.errors import Refused
from tests.p2p.machines import Machine, failure_of
from tests.p2p.visitors.watchers import (
    SOON,
    at_rest,
    declined,
    ended,
    linked,
    somebody,
    table_of,
    watching,
)

pytestmark = pytest.mark.usefixtures("autojump_clock", "on_memory", "without_proofs")

TOLD_SECONDS = 3
"""Within which a member has told the others."""


async def come(eva: Machine, link: Link, node: MatchNode) -> None:
    """Begin to watch at that node."""
    await say(link, Watch(eva.name))
    with trio.fail_after(SOON):
        while eva.key not in {one.key for one in node.spectators}:
            await node.progress.wait()


async def is_shown_out(link: Link) -> None:
    error = await ended(link)
    assert isinstance(error, Declined)
    assert error.reason == Reason.SPECTATOR_BARRED


@pytest.mark.parametrize("by", [0, 1])
async def test_3_9_whoever_a_player_bars_goes_and_comes_back_nowhere(
    tmp_path: Path, by: int
) -> None:
    machines = await table_of(tmp_path)
    eva, fay = somebody(machines, tmp_path), somebody(machines, tmp_path, 5)
    async with (
        at_rest(machines) as nodes,
        watching(fay, machines.all[1], "Fay") as other,
    ):
        await other.is_noted()
        async with linked(eva, machines.all[0]) as link:
            await come(eva, link, nodes[0])
            await trio.sleep(TOLD_SECONDS)
            progress = nodes[by].progress
            nodes[by].bar_spectator(eva.key)
            assert progress.is_set()  # their player sees it at once, wherever it was
            with trio.fail_after(TOLD_SECONDS):
                await is_shown_out(link)
        await trio.sleep(TOLD_SECONDS)
        for machine, node in zip(machines.all, nodes, strict=True):
            assert node.spectators == (Spectator(fay.key, "Fay"),)
            assert node.barred_by(eva.key) == by
            assert node.barred_by(fay.key) is None
            assert await declined(eva, machine) == Reason.SPECTATOR_BARRED
            assert node.node.peers.linked  # the players among themselves
        assert other.match.linked


async def test_3_9_nobody_else_is_barred(tmp_path: Path) -> None:
    machines = await table_of(tmp_path)
    eva = somebody(machines, tmp_path)
    async with at_rest(machines) as (node, other):
        for key in (eva.key, machines.all[1].key, node.charter.members[0].key):
            with pytest.raises(Refused, match="Nobody of that key"):
                node.bar_spectator(key)
        await trio.sleep(TOLD_SECONDS)
        assert node.node.peers.linked
        assert other.node.peers.linked
        async with watching(eva, machines.all[0]) as watcher:
            await watcher.is_noted()


async def test_3_9_who_does_not_read_goes_too(tmp_path: Path) -> None:
    machines = await table_of(tmp_path)
    ana, _bruno = machines.all
    eva = somebody(machines, tmp_path)
    async with at_rest(machines) as (node, _), linked(eva, ana) as link:
        await come(eva, link, node)
        for wire in machines.network.wires:
            wire.is_full = wire.ends == (ana.address, eva.address)
        node.bar_spectator(eva.key)
        with trio.fail_after(TOLD_SECONDS):
            while node.spectators:
                await node.progress.wait()
            await failure_of(hear_all(link))


async def hear_all(link: Link) -> None:
    while True:
        await hear(link)


async def test_3_9_of_more_than_sixteen_the_first_may_come_again(tmp_path: Path) -> None:
    machines = await table_of(tmp_path)
    ana = machines.all[0]
    eva = somebody(machines, tmp_path)
    async with at_rest(machines) as (node, _):
        async with linked(eva, ana) as link:
            await come(eva, link, node)
            node.bar_spectator(eva.key)
            await is_shown_out(link)
        gallery = node._gallery
        for number in range(MOST_BARRED):
            assert node.barred_by(eva.key) == 0
            made_up = Spectator(bytes([number]) * 32, f"Guest {number}")
            gallery._told[1] = type(gallery.talk[0])((made_up,))
            node.bar_spectator(made_up.key)
        assert node.barred_by(eva.key) is None
        (talk,) = gallery.talk
        assert len(talk.barred) == MOST_BARRED


async def test_3_9_a_member_bars_players_and_they_play_on(tmp_path: Path) -> None:
    machines = await table_of(tmp_path)
    async with at_rest(machines) as (ana, bruno):
        bruno._gallery._barred = dict.fromkeys(machine.key for machine in machines.all)
        await trio.sleep(TOLD_SECONDS)
        assert ana.barred_by(machines.all[0].key) == 1
        assert ana.node.peers.linked
        assert bruno.node.peers.linked
