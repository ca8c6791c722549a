"""The bots of this machine at one table.

They have sat there from the beginning, or are proposed for the seats of missing players. When the
match is to go on without somebody, they sign what this player's node signs.
"""

import os
from collections.abc import Mapping
from contextlib import suppress

import trio
from attrs import define, field

from client.session.bot_names import bot_name
from client.session.display.absence import Players
from client.session.network_node import NetworkNode
from client.session.seated_bots import BotSettings, SeatedBots, play_for
from p2p.match.match_node import MatchNode
from p2p.storage.memberships import Membership, match_of
from p2p.table.shared_judging import Judge
from protocol.charter import NONCE_BYTES, Member
from protocol.errors import Malformed, Refused

_LOOK_SECONDS = 1.0
"""Longest time between two checks for what bots have to do."""


@define(eq=False)
class TableBots:
    """The bots that play in a match, or are proposed for it."""

    seated_bots: SeatedBots
    """The bots of this program, of which these are some."""
    settings: BotSettings
    node: MatchNode
    """The person's node in the match."""
    judge: Judge
    playing: dict[bytes, MatchNode] = field(factory=dict, init=False)
    """The nodes of the bots that have a seat, by public key."""
    _proposed: dict[int, tuple[NetworkNode, Member]] = field(factory=dict, init=False)
    """The bots that are proposed for a seat, by the number of the missing player."""

    def own(self) -> Players:
        """Return the players whose seats belong to bots of this machine."""
        keys = self.seated_bots.keys
        members = self.node.charter.members
        return tuple(player for player, member in enumerate(members) if member.key in keys)

    async def run(self) -> None:
        """Let seated bots play, and propose bots for wanted seats. Runs until cancelled."""
        async with trio.open_nursery() as nursery:
            while True:
                # The event is read before the checks: a change during them sets this very event,
                # so the wait below ends at once.
                progress = self.node.progress
                for bot in await self.seated_bots.all():
                    if self._is_to_play(bot):
                        await self._seat(bot, nursery)
                if self.node.going_on.wants_bots:
                    await self._propose(self.node.going_on.wants_bots)
                with trio.move_on_after(_LOOK_SECONDS):
                    await progress.wait()

    def _is_to_play(self, bot: NetworkNode) -> bool:
        key = bot.identity.public
        return key not in self.playing and self.node.charter.player_of(key) is not None

    async def _seat(self, bot: NetworkNode, nursery: trio.Nursery) -> None:
        """Begin to play for a bot, which has a seat from the beginning or by a continuation."""
        membership = await trio.to_thread.run_sync(self._membership, bot)
        node = MatchNode(
            bot.endpoint, bot.journal, membership, judge=self.judge, follows=self.node.key
        )
        # Both nodes may have moved to another address since the charter was signed, and beacons do
        # not announce bots. So the two nodes are told each other's ports.
        node.find_here(self.node.key, self.node.endpoint.port)
        self.node.find_here(bot.identity.public, bot.endpoint.port)
        await node.restore()
        self.playing[bot.identity.public] = node
        nursery.start_soon(play_for, node, self.settings)

    def _membership(self, bot: NetworkNode) -> Membership:
        """Return the membership of a bot that has a seat. Blocks."""
        kept = match_of(bot.journal, self.node.match_id)
        if kept is not None:
            # Malformed: this machine may have died in the middle of `introduce`. So do it again.
            with suppress(Malformed):
                return kept.membership(bot.journal)
        return self.node.introduce(bot.identity.public, bot.journal, bot.endpoint.port)

    async def _propose(self, players: Players) -> None:
        """Propose a bot that has never played for the seat of each of these players."""
        for player in players:
            # The same bot is proposed each time. But if it has got the seat, and the seat is wanted
            # again, that bot is missing itself, and another one is made.
            if player not in self._proposed or self._has_seat(player):
                taken = [member.name for member in self.node.charter.members]
                taken += [member.name for _bot, member in self._proposed.values()]
                bot = await self.seated_bots.another()
                member = Member(bot.identity.public, bot_name(taken), os.urandom(NONCE_BYTES))
                self._proposed[player] = (bot, member)
        wanted: Mapping[int, tuple[NetworkNode, Member]] = {p: self._proposed[p] for p in players}
        try:
            self.node.propose(
                {player: member for player, (_bot, member) in wanted.items()},
                {member.key: bot.identity.sign for bot, member in wanted.values()},
            )
        except Refused:
            return  # the match has gone on in the meantime

    def _has_seat(self, player: int) -> bool:
        """Return True if the bot that was proposed for this player's seat has a seat by now."""
        _bot, member = self._proposed[player]
        return self.node.charter.player_of(member.key) is not None
