"""Sessions over real sockets of this machine: lobbies, matches and a rematch."""

import random
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest
import trio
from attrs import define, field

from client.bots.eager import choose
from client.bots.runner import sit_in
from client.cli.commands.resume import unfinished_tables
from client.session.display.absence import OwnBots
from client.session.display.lobby_interface import Action
from client.session.display.snapshot import AfterMatch
from client.session.hosted_lobby import Admission, HostedLobby
from client.session.network_node import NetworkNode, open_network_node
from client.session.run import other_seats
from client.session.seated_bots import SeatedBots, open_seated_bots
from p2p.background_task import beside
from p2p.lobby.guest import join
from p2p.match.match_node import MatchNode
from p2p.refusals import Reason, sentence_of
from p2p.storage.memberships import Membership
from p2p.storage.private_files import make_private
from p2p.transport.endpoint import Declined
from tests.client.session.sessions import (
    ScriptedDisplay,
    host_with_a_bot,
    hosting,
    sit,
    terms,
    until,
    visiting,
)
from tests.patience import PATIENCE


async def test_players_who_want_a_rematch_meet_at_the_same_table(tmp_path: Path) -> None:
    ana = ScriptedDisplay([AfterMatch.OTHER_SEATS, AfterMatch.LEAVE])
    bruno = ScriptedDisplay([AfterMatch.AGAIN, AfterMatch.LEAVE])
    port: list[int] = []
    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(sit, tmp_path / "a", ana, hosting(port, "kanastic", 3, 1))
            nursery.start_soon(sit, tmp_path / "b", bruno, visiting(port))
    assert ana.charters == bruno.charters
    first, second = ana.charters
    assert first.table_id != second.table_id
    assert not {m.nonce for m in first.members} & {m.nonce for m in second.members}
    assert (first.game, first.options, first.grace) == (second.game, second.options, second.grace)
    assert [m.key for m in second.members] == list(other_seats([m.key for m in first.members]))
    assert any(line.startswith("The table “Kitchen” is open") for line in ana.told[-20:])
    assert "Waiting until Ana opens the table again." in bruno.told
    assert ana.restored == bruno.restored == 0, "a new table needs no restoring"


@define
class LeavesEarly(ScriptedDisplay):
    """A player who leaves each table after eight more entries."""

    heights: list[int] = field(factory=list)

    async def table(
        self, node: MatchNode, own_bots: OwnBots, choices: Sequence[AfterMatch]
    ) -> AfterMatch:
        assert sorted((node.me, *own_bots())) == [0, 1], (
            "both seats belong to this machine: a person and a bot"
        )
        height = node.height
        async with beside(partial(sit_in, node, partial(choose, rng=random.Random(1)))):
            while node.height < height + 8:
                await node.progress.wait()
        self.heights.append(node.height)
        return AfterMatch.LEAVE


async def test_a_match_with_a_bot_resumes_without_beacons(tmp_path: Path) -> None:
    """The table is resumed without beacons, and both nodes listen at new ports."""
    ana = LeavesEarly([])

    async def resume(local: NetworkNode, _bots: SeatedBots) -> Membership:
        await trio.lowlevel.checkpoint()
        (table,) = unfinished_tables(local.journal)
        assert "Canastra with Ana and Robot" in table.line
        assert ": no round counted yet, begun" in table.line
        return table.membership

    with trio.fail_after(PATIENCE):
        for begin in (host_with_a_bot, resume):
            await sit(tmp_path / "a", ana, begin)
    first, second = ana.heights
    assert second >= first + 8


@asynccontextmanager
async def hosted(folder: Path, seats: int, admission: Admission) -> AsyncIterator[HostedLobby]:
    """Open a lobby as long as the `with` block lasts; Ana hosts it, and is not ready."""
    async with (
        open_network_node(make_private(folder), 0) as local,
        open_seated_bots(local) as seated_bots,
    ):
        lobby = HostedLobby(
            local, seated_bots, "Ana", terms("canasta", seats), admission, ready=False
        )
        async with beside(lobby.run):
            yield lobby


@pytest.mark.skipif(sys.platform != "linux", reason="127.0.0.2 is this machine on Linux alone")
async def test_bots_accept_connections_only_from_this_machine(tmp_path: Path) -> None:
    async with (
        open_network_node(make_private(tmp_path / "a"), 0) as local,
        open_seated_bots(local) as seated_bots,
    ):
        bot = await seated_bots.bot(1)
        await (await trio.open_tcp_stream("127.0.0.2", local.endpoint.port)).aclose()
        await (await trio.open_tcp_stream("127.0.0.1", bot.endpoint.port)).aclose()
        with pytest.raises(OSError, match=r"refused|connect"):
            await trio.open_tcp_stream("127.0.0.2", bot.endpoint.port)


@pytest.mark.parametrize("anywhere", [False, True])
async def test_calls_from_other_networks_need_the_anywhere_option(
    tmp_path: Path, anywhere: bool
) -> None:
    async with open_network_node(make_private(tmp_path), 0, anywhere=anywhere) as local:
        near = local.endpoint.near
        assert near is None if anywhere else near is not None and not near("203.0.113.9")


async def test_the_host_adds_bots_and_sends_them_away(tmp_path: Path) -> None:
    async with hosted(tmp_path / "a", 4, Admission(1)) as lobby:
        first = await until(lobby, 2)
        lobby.decide(Action.ADD_OPPONENT)
        both = await until(lobby, 3)
        assert both[:2] == first
        assert len(lobby.snapshot.opponents) == 2
        lobby.decide(Action.SEND_OPPONENT_AWAY)
        assert await until(lobby, 2) == first
        lobby.decide(Action.ADD_OPPONENT)
        lobby.decide(Action.ADD_OPPONENT)
        await until(lobby, 4)
        lobby.decide(Action.ADD_OPPONENT)
        assert set(both) < set(await until(lobby, 4))


async def test_a_reserved_table_refuses_others_and_tells_both_sides(tmp_path: Path) -> None:
    kept = Admission(only=frozenset({bytes(32)}))
    async with (
        hosted(tmp_path / "a", 2, kept) as lobby,
        open_network_node(make_private(tmp_path / "b"), 0) as visitor,
    ):
        await until(lobby, 1)
        port = lobby.local.endpoint.port
        arguments = (visitor.endpoint, visitor.journal, "127.0.0.1", port)
        with pytest.raises(Declined, match="kept for those"):
            await join(*arguments, "Eva", bytes)
        assert (
            lobby.snapshot.news.lines[-1]
            == f"!! “Eva” was refused: {sentence_of(Reason.KEPT_FOR_REMATCH)}"
        )
        lobby.decide(Action.ADD_OPPONENT)  # the host's own bots may still sit down
        await until(lobby, 2)
        with pytest.raises(Declined, match="full"):
            await join(*arguments, "Eva", bytes)
        assert lobby.snapshot.news.lines[-1] == "!! “Eva” was refused: The table is full."


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_other_seats_keep_the_host_and_change_all_partners(players: int) -> None:
    keys = [bytes([number]) for number in range(players)]
    order = other_seats(keys)
    assert order[0] == keys[0]
    assert sorted(order) == keys
    if players == 4:
        assert all(order[(i + 2) % 4] != keys[(keys.index(order[i]) + 2) % 4] for i in range(4))
