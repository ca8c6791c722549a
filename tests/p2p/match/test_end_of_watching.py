"""The end of watching: when the record no longer grows, or a player bars a spectator.

In the first case spectators are sent the end of the record before their links end (nodes.md, 3.4).
"""

from contextlib import suppress
from pathlib import Path

import pytest
import trio

from p2p.background_task import beside
from p2p.match.history import KeptHistory
from p2p.match.visitor_places import STILL_HERE_SECONDS
from p2p.refusals import Reason
from p2p.transport.endpoint import Declined, hear
from p2p.transport.frames import LinkError
from p2p.transport.spectator_messages import Spectator
from protocol.errors import Refused
from protocol.table.messages import Carry
from tests.p2p.match.watchers import (
    at_rest,
    begin_to_watch,
    declined,
    ended,
    linked,
    table_of,
    watching,
)

pytestmark = pytest.mark.usefixtures("autojump_clock", "on_memory", "without_proofs")


async def test_3_4_evidence_is_sent_once_and_at_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The record ends in two entries in one place. Before that, no evidence is sent."""
    now = await table_of(tmp_path)
    heard: list[Carry] = []

    async def read() -> None:
        with suppress(LinkError):
            while True:
                message = await hear(link)
                if isinstance(message, Carry):
                    heard.append(message)

    async with at_rest(now) as (node, _), linked(now.eva, now.ana) as link, beside(read):
        monkeypatch.setattr(KeptHistory, "evidence", ((1, b"of an earlier dispute"),))
        await begin_to_watch(now.eva, link, node)
        await trio.sleep(2 * STILL_HERE_SECONDS)
        entries = await node.tables.history.parts(1, node.number)
        record = [Carry(height, entry) for height, entry in enumerate(entries, 1)]
        assert heard == record
        node._gallery.over = lambda: True
        evidence = node.height, b"two in one place"
        monkeypatch.setattr(KeptHistory, "evidence", (evidence,))
        for _ in range(2):
            node.news.tell()
            await trio.sleep(2 * STILL_HERE_SECONDS)
        assert heard == [*record, Carry(*evidence)]
        assert node._gallery.own == ()


# -- Each player can end the watching of a spectator, at all nodes (nodes.md, 3.9)

TOLD_SECONDS = 3
"""The seconds within which a member has told the others whom they bar."""


@pytest.mark.parametrize("by", [0, 1])
async def test_3_9_a_barred_spectator_must_go_and_is_refused_everywhere(
    tmp_path: Path, by: int
) -> None:
    """Only spectators can be barred, and the others go on watching."""
    now = await table_of(tmp_path)
    async with at_rest(now) as nodes, watching(now.fay, now.bruno, "Fay") as other:
        for key in (now.eva.key, now.bruno.key, now.ana.key):
            with pytest.raises(Refused, match="Nobody with that key"):
                nodes[by].bar_spectator(key)
        async with linked(now.eva, now.ana) as link:
            await begin_to_watch(now.eva, link, nodes[0])
            await trio.sleep(TOLD_SECONDS)
            progress = nodes[by].progress
            nodes[by].bar_spectator(now.eva.key)
            assert progress.is_set()  # the player who bars the spectator sees the change at once
            with trio.fail_after(TOLD_SECONDS):
                error = await ended(link)
        assert isinstance(error, Declined)
        assert error.reason == Reason.SPECTATOR_BARRED
        await trio.sleep(TOLD_SECONDS)
        for machine, node in zip(now.all, nodes, strict=True):
            assert node.spectators == (Spectator(now.fay.key, "Fay"),)
            assert (node.barred_by(now.eva.key), node.barred_by(now.fay.key)) == (by, None)
            assert await declined(now.eva, machine) == Reason.SPECTATOR_BARRED
            assert node.node.peers.linked  # the players stay linked
        assert other.linked


async def test_3_9_a_barred_spectator_who_does_not_read_must_go_too(tmp_path: Path) -> None:
    now = await table_of(tmp_path)
    async with at_rest(now) as (node, _), linked(now.eva, now.ana) as link:
        await begin_to_watch(now.eva, link, node)
        now.network.fill(now.eva.address, now.ana.address)
        node.bar_spectator(now.eva.key)
        with trio.fail_after(TOLD_SECONDS):
            while node.spectators:
                await node.progress.wait()
            await ended(link)


async def test_3_9_players_whom_a_member_bars_play_on(tmp_path: Path) -> None:
    now = await table_of(tmp_path)
    async with at_rest(now) as (ana, bruno):
        bruno._gallery._barred = dict.fromkeys(machine.key for machine in now.all)
        await trio.sleep(TOLD_SECONDS)
        assert ana.barred_by(now.ana.key) == 1
        assert ana.node.peers.linked
        assert bruno.node.peers.linked
