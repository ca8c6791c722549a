"""The bots of this machine at one table. What this player's node signs, they sign.

They sat there from the beginning, or are proposed for the seats of players who are missing.
"""

import os
from collections.abc import Mapping
from contextlib import suppress

import trio
from attrs import define, field

from client.session.bot_names import bot_name
from client.session.display.absence import Players, expected_elsewhere
from client.session.network_node import NetworkNode
from client.session.seated_bots import BotSettings, SeatedBots, play_for
from p2p.match.match_node import MatchNode
from p2p.storage.memberships import Membership, match_of
from p2p.table.judging import Judge
from protocol.charter import NONCE_BYTES, Member
from protocol.errors import Malformed, Refused

_LOOK_SECONDS = 1.0
"""Seconds between two looks at what bots are to do, where nothing happens."""


@define(eq=False)
class TableBots:
    """The bots from `seated_bots` for the match of `node`.

    Those who are `playing` there have a node of their own.
    """

    seated_bots: SeatedBots
    settings: BotSettings
    node: MatchNode
    judge: Judge
    playing: dict[bytes, MatchNode] = field(factory=dict, init=False)
    _asked: dict[int, tuple[NetworkNode, Member]] = field(factory=dict, init=False)
    """The bots who are proposed for a seat, by the player whose it is."""

    @property
    def own(self) -> Players:
        """Return the players whose seats bots of this machine have."""
        keys = self.seated_bots.keys
        members = self.node.charter.members
        return tuple(player for player, member in enumerate(members) if member.key in keys)

    @property
    def alone(self) -> bool:
        """Return True if nobody else but these bots is at the table."""
        return not expected_elsewhere(len(self.node.charter.members), {self.node.me, *self.own})

    async def run(self) -> None:
        """Let bots play who have a seat, and propose them for others. Runs until cancelled."""
        async with trio.open_nursery() as nursery:
            while True:
                progress = self.node.progress
                for bot in await self.seated_bots.all():
                    if self._is_to_play(bot):
                        await self._seat(bot, nursery)
                if self.node.wants_bots:
                    await self._propose(self.node.wants_bots)
                with trio.move_on_after(_LOOK_SECONDS):
                    await progress.wait()

    def _is_to_play(self, bot: NetworkNode) -> bool:
        key = bot.identity.public
        return key not in self.playing and self.node.charter.player_of(key) is not None

    async def _seat(self, bot: NetworkNode, nursery: trio.Nursery) -> None:
        """Begin to play for a bot that has a seat: since the beginning, or by a continuation."""
        membership = await trio.to_thread.run_sync(self._membership, bot)
        node = MatchNode(
            bot.endpoint,
            bot.journal,
            membership,
            judge=self.judge,
            follows=self.node.key,
        )
        # In another place neither is where it was, and no beacon tells of bots.
        node.find_here(self.node.key, self.node.endpoint.port)
        self.node.find_here(bot.identity.public, bot.endpoint.port)
        await node.restore()
        self.playing[bot.identity.public] = node
        nursery.start_soon(play_for, node, self.settings)

    def _membership(self, bot: NetworkNode) -> Membership:
        """Return the membership of a bot that has a seat. Blocks."""
        kept = match_of(bot.journal, self.node.match_id)
        if kept is not None:
            with suppress(Malformed):  # this machine died in the middle of the introduction
                return kept.membership(bot.journal)
        return self.node.introduce(bot.identity.public, bot.journal, bot.endpoint.port)

    async def _propose(self, players: Players) -> None:
        """Propose bots which have never played for the seats of these players."""
        for player in players:
            if player not in self._asked or self._has_seat(player):
                taken = [member.name for member in self.node.charter.members]
                taken += [member.name for _bot, member in self._asked.values()]
                bot = await self.seated_bots.another()
                member = Member(bot.identity.public, bot_name(taken), os.urandom(NONCE_BYTES))
                self._asked[player] = (bot, member)
        asked: Mapping[int, tuple[NetworkNode, Member]] = {p: self._asked[p] for p in players}
        try:
            self.node.propose(
                {player: member for player, (_bot, member) in asked.items()},
                {member.key: bot.identity.sign for bot, member in asked.values()},
            )
        except Refused:
            return  # the match is further by now

    def _has_seat(self, player: int) -> bool:
        """Return True if the bot that was proposed for the seat of that player has one by now."""
        _bot, member = self._asked[player]
        return any(one.key == member.key for one in self.node.charter.members)
