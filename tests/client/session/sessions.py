"""Helpers for tests of sessions: ways to begin one, and a display that follows a script."""

import random
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path

import trio
from attrs import define, field

from client.bots.eager import choose
from client.bots.runner import sit_in
from client.session.display.absence import OwnBots, expected_elsewhere
from client.session.display.display_interface import Restore
from client.session.display.lobby_interface import Lobby, sit_in_lobby
from client.session.display.snapshot import AfterMatch
from client.session.hosted_lobby import Admission, HostedLobby
from client.session.joined_lobby import JoinedLobby, Target
from client.session.network_node import NetworkNode
from client.session.run import Begin, ListenAt, run_session
from client.session.seated_bots import BotSettings, SeatedBots
from client.session.table import TablePolicy
from client.ui.linear.lobby import LobbyLines
from engine.games import game_named
from p2p.background_task import beside
from p2p.match.match_node import MatchNode
from p2p.storage.memberships import Membership
from p2p.storage.private_files import make_private
from p2p.table.node_updates import no_progress
from p2p.transport.lobby_messages import Terms
from protocol.charter import Charter
from tests.patience import PATIENCE


def terms(game: str, seats: int) -> Terms:
    rules = game_named(game)
    return Terms("Kitchen", rules, rules.options(rounds=1), seats)


def hosting(port: list[int], game: str, seats: int, opponents: int) -> Begin:
    """Return a function that opens Ana's table, and appends the port to the list `port`."""

    async def host(local: NetworkNode, seated_bots: SeatedBots) -> Lobby:
        port.append(local.endpoint.port)
        admission = Admission(opponents)
        return HostedLobby(local, seated_bots, "Ana", terms(game, seats), admission, ready=True)

    return host


def visiting(port: Sequence[int]) -> Begin:
    """Return a function with which Bruno joins the table at `port[0]`, once the port is known."""

    async def visit(local: NetworkNode, _seated_bots: SeatedBots) -> Lobby:
        async def find() -> list[Target]:
            while not port:
                await trio.sleep(0.01)
            return [Target(("127.0.0.1",), port[0])]

        return JoinedLobby(local, "Bruno", find, ready=True)

    return visit


host_with_a_bot = hosting([], "canastra", 2, 1)
"""Function that opens a table for two, where Ana plays against a bot."""


@define
class ScriptedDisplay:
    """A player who is always ready, and leaves each table with the next of the `choices`."""

    choices: list[AfterMatch]
    charters: list[Charter] = field(factory=list)
    told: list[str] = field(factory=list)
    ready: bool = True
    restored: int = 0

    def hold_screen(self) -> AbstractContextManager[None]:
        return nullcontext()

    def tell(self, line: str) -> None:
        self.told.append(line)

    async def lobby(self, lobby: Lobby) -> Membership | None:
        return await sit_in_lobby(lobby, LobbyLines(self.tell))

    async def restoring(self, restore: Restore) -> bool:
        await restore(no_progress)
        self.restored += 1
        return True

    async def table(
        self, node: MatchNode, own_bots: OwnBots, choices: Sequence[AfterMatch]
    ) -> AfterMatch:
        await trio.lowlevel.checkpoint()
        others = {node.me, *own_bots()}
        assert expected_elsewhere(len(node.charter.members), others), (
            "there must be other people at the table"
        )
        assert set(choices) == {AfterMatch.AGAIN, AfterMatch.OTHER_SEATS}
        self.charters.append(node.charter)
        return self.choices.pop(0)


async def play(node: MatchNode) -> AfterMatch:
    """Play the match to its end."""
    async with beside(partial(sit_in, node, partial(choose, rng=random.Random(1)))):
        while not node.over:
            await node.progress.wait()
    return AfterMatch.LEAVE


async def until(lobby: Lobby, count: int) -> tuple[str, ...]:
    """Wait until `count` players are in a lobby, and return their names."""
    with trio.fail_after(PATIENCE):
        while True:
            lobby_state = lobby.snapshot.lobby_state
            if lobby_state is not None and len(lobby_state.present) == count:
                return lobby_state.names
            await lobby.changed()


async def sit(folder: Path, display: ScriptedDisplay, begin: Begin) -> int:
    """Run a session in that folder with opponents of the level easy, and return the exit code."""
    policy = TablePolicy(BotSettings("easy"))
    return await run_session(make_private(folder), ListenAt(0), display, policy, begin)
