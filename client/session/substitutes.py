"""Opponents of the program's that take the seats of players who stay away (R19)."""

import os
from collections.abc import Sequence

import trio
from attrs import frozen

from client.session.absence import Players
from client.session.bot_pool import Household, Style, opponent_name, play_for
from client.session.local_node import Home
from p2p.storage.memberships import Membership
from p2p.table.node import Node
from protocol.charter import NONCE_BYTES, Member
from protocol.entries import AbsentContent, Entry

_LOOK_SECONDS = 0.1  # between two looks at whether all have agreed


@frozen
class OwnHouse:
    """The opponents of a house, who play at the table of `node` in that style, in `nursery`."""

    household: Household
    style: Style
    node: Node
    nursery: trio.Nursery

    async def invite(self, absent: Players) -> None:
        """Propose that opponents which have never played take the seats; once all have agreed they
        play there, also after this call.

        Raises Refused, as `Node.vote` does.
        """
        await self.nursery.start(self._substitute, absent)

    async def _substitute(
        self, absent: Players, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED
    ) -> None:
        opponents = [await self.household.another() for _ in absent]
        content = AbsentContent(absent, tuple(map(_member, opponents)))
        body = self.node.absence(content)
        signatures = {
            opponent.identity.public: Entry.vote(body, opponent.identity.sign)
            for opponent in opponents
        }
        await self.node.vote(content, signatures)
        task_status.started()
        await self._take_over(opponents, content)

    async def _take_over(self, opponents: Sequence[Home], content: AbsentContent) -> None:
        """Once all have agreed; not if they agree on something else."""
        seated = set(content.substitutes)
        while not seated.issubset(self.node.charter.members) and not self.node.over:
            await trio.sleep(_LOOK_SECONDS)
        if seated.issubset(self.node.charter.members):
            async with trio.open_nursery() as nursery:
                for seat, opponent in zip(content.players, opponents, strict=True):
                    nursery.start_soon(self._play, opponent, seat)

    async def _play(self, opponent: Home, seat: int) -> None:
        membership = self.node.agreement_for(seat, self.household.home.endpoint.port)
        await trio.to_thread.run_sync(membership.keep, opponent.journal)
        table = Membership.recalled(opponent.journal, opponent.journal.tables()[-1])
        node = Node(opponent.endpoint, opponent.journal, table)
        await node.restore()
        await play_for(node, self.style)


def _member(opponent: Home) -> Member:
    return Member(opponent.identity.public, opponent_name(opponent), os.urandom(NONCE_BYTES))
