"""Bots that take the seats of absent players (R19)."""

import os
from collections.abc import Sequence

import trio
from attrs import field, frozen

from client.session.display.absence import Players, expected_elsewhere
from client.session.local_node import LocalNode
from client.session.seated_bots import BotSettings, SeatedBots, bot_name, play_for
from p2p.storage.memberships import Membership
from p2p.table.node import Node
from protocol.charter import NONCE_BYTES, Member
from protocol.entries import AbsentContent, Entry

_LOOK_SECONDS = 0.1  # between two looks at whether all have agreed


@frozen
class Substitutes:
    """Takes bots from `seated_bots` for the table of `node`; they run in `nursery`, and their nodes
    join those that are `playing` here.
    """

    seated_bots: SeatedBots
    settings: BotSettings
    node: Node
    nursery: trio.Nursery
    playing: list[Node] = field(factory=list)

    @property
    def own(self) -> Players:
        """The players whose seats bots of this machine have."""
        keys = self.seated_bots.keys
        members = self.node.charter.members
        return tuple(player for player, member in enumerate(members) if member.key in keys)

    @property
    def alone(self) -> bool:
        """Whether nobody else but these bots is at the table."""
        return not expected_elsewhere(len(self.node.charter.members), {self.node.me, *self.own})

    async def invite(self, absent: Players) -> None:
        """Propose that bots which have never played take the seats of the players `absent`.

        They play there once all have agreed, after this call has returned. Raises Refused, as
        `Node.vote` does.
        """
        await self.nursery.start(self._substitute, absent)

    async def _substitute(
        self, absent: Players, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED
    ) -> None:
        bots = [await self.seated_bots.another() for _ in absent]
        content = AbsentContent(absent, tuple(map(_member, bots)))
        body = self.node.absence(content)
        signatures = {bot.identity.public: Entry.vote(body, bot.identity.sign) for bot in bots}
        await self.node.vote(content, signatures)
        task_status.started()
        await self._take_over(bots, content)

    async def _take_over(self, bots: Sequence[LocalNode], content: AbsentContent) -> None:
        """Wait until all have agreed, then play; return if they agree on something else."""
        seated = set(content.substitutes)
        while not seated.issubset(self.node.charter.members) and not self.node.over:
            await trio.sleep(_LOOK_SECONDS)
        if seated.issubset(self.node.charter.members):
            async with trio.open_nursery() as nursery:
                for seat, bot in zip(content.players, bots, strict=True):
                    nursery.start_soon(self._play, bot, seat)

    async def _play(self, bot: LocalNode, seat: int) -> None:
        membership = self.node.membership_for(seat, self.seated_bots.local.endpoint.port)
        await trio.to_thread.run_sync(membership.keep, bot.journal)
        table = Membership.recalled(bot.journal, bot.journal.tables()[-1])
        node = Node(bot.endpoint, bot.journal, table)
        await node.restore()
        self.playing.append(node)
        await play_for(node, self.settings)


def _member(bot: LocalNode) -> Member:
    return Member(bot.identity.public, bot_name(bot), os.urandom(NONCE_BYTES))
