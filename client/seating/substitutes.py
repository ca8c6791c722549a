"""Opponents of the program's that take the seats of players who stay away (R19)."""

import os

import trio
from attrs import frozen

from client.seating.home import Home
from client.seating.house import Household, Style, opponent_name, play_for
from p2p.agreement import Agreement
from p2p.node import Node
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

    async def invite(self, absent: int) -> None:
        """Propose that an opponent which has never played takes the seat; once all have agreed it
        plays there, also after this call.

        Raises Refused, as `Node.vote` does.
        """
        await self.nursery.start(self._substitute, absent)

    async def _substitute(
        self, absent: int, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED
    ) -> None:
        opponent = await self.household.another()
        member = Member(opponent.identity.public, opponent_name(opponent), os.urandom(NONCE_BYTES))
        await self._propose(opponent, AbsentContent((absent,), (member,)))
        task_status.started()
        await self._take_over(opponent, member, absent)

    async def _propose(self, opponent: Home, content: AbsentContent) -> None:
        signature = Entry.vote(self.node.absence(content), opponent.identity.sign)
        await self.node.vote(content, {opponent.identity.public: signature})

    async def _take_over(self, opponent: Home, member: Member, seat: int) -> None:
        """Once all have agreed; not if they agree on something else."""
        while member not in self.node.charter.members and not self.node.over:
            await trio.sleep(_LOOK_SECONDS)
        if member in self.node.charter.members:
            await self._play(opponent, seat)

    async def _play(self, opponent: Home, seat: int) -> None:
        agreement = self.node.agreement_for(seat, self.household.home.endpoint.port)
        await trio.to_thread.run_sync(agreement.keep, opponent.journal)
        table = Agreement.recalled(opponent.journal, opponent.journal.tables()[-1])
        node = Node(opponent.endpoint, opponent.journal, table)
        await node.restore()
        await play_for(node, self.style)
