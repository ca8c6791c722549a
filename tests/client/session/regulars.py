"""Displays that play at the tables of a session, one match after the other."""

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext

import trio
from attrs import define, field

from client.session.display.absence import OwnBots, expected_elsewhere
from client.session.display.display_interface import Restore
from client.session.display.lobby_interface import Lobby, sit_in_lobby
from client.session.display.snapshot import AfterMatch
from client.session.hosted_lobby import Admission, HostedLobby
from client.session.network_node import NetworkNode
from client.session.seated_bots import SeatedBots
from client.ui.linear.lobby import LobbyLines
from engine.games import game_named
from p2p.match.match_node import MatchNode
from p2p.storage.memberships import Membership
from p2p.table.node_updates import no_progress
from p2p.transport.lobby_messages import Terms
from protocol.charter import Charter
from tests.patience import PATIENCE


def terms(game: str, seats: int) -> Terms:
    rules = game_named(game)
    return Terms("Kitchen", rules, rules.options(rounds=1), seats)


async def host_with_a_bot(local: NetworkNode, seated_bots: SeatedBots) -> Lobby:
    """Open a table for two, where Ana hosts, is ready, and plays against a bot."""
    admission = Admission(1)
    return HostedLobby(local, seated_bots, "Ana", terms("canastra", 2), admission, ready=True)


@define
class Regular:
    """A player who is always ready, and leaves each table with the next of the choices."""

    choices: list[AfterMatch]
    charters: list[Charter] = field(factory=list)
    told: list[str] = field(factory=list)
    ready: bool = True

    def hold_screen(self) -> AbstractContextManager[None]:
        return nullcontext()

    def tell(self, line: str) -> None:
        self.told.append(line)

    async def lobby(self, lobby: Lobby) -> Membership | None:
        return await sit_in_lobby(lobby, LobbyLines(self.tell))

    async def restoring(self, restore: Restore) -> bool:
        await restore(no_progress)
        return True

    async def table(
        self, node: MatchNode, own_bots: OwnBots, choices: Sequence[AfterMatch]
    ) -> AfterMatch:
        await trio.lowlevel.checkpoint()
        others = {node.me, *own_bots()}
        assert expected_elsewhere(len(node.charter.members), others), "there are other people"
        assert set(choices) == {AfterMatch.AGAIN, AfterMatch.OTHER_SEATS}
        self.charters.append(node.charter)
        return self.choices.pop(0)


async def until(lobby: Lobby, count: int) -> tuple[str, ...]:
    """Wait until `count` players are in a lobby, and return their names."""
    with trio.fail_after(PATIENCE):
        while True:
            lobby_state = lobby.snapshot.lobby_state
            if lobby_state is not None and len(lobby_state.present) == count:
                return lobby_state.names
            await lobby.changed()
