"""Sees to seats whose players do not come back, when nobody is asked: after the charter's grace it
agrees on their absence, as it was told at the beginning.
"""

import os
import random
from contextlib import AsyncExitStack, suppress
from enum import Enum
from functools import partial

import trio
from attrs import frozen

from client.opponents.easy import choose
from client.opponents.sitting import sit_in
from client.seating.home import Home
from client.seating.house import another_opponent, opponent_name
from client.telling.console import Console
from p2p.agreement import Agreement
from p2p.node import Node
from protocol.charter import NONCE_BYTES, Member
from protocol.entries import AbsentContent, Entry
from protocol.errors import Refused

_TELL_SECONDS = 10.0  # of silence, before it is worth a line


class IfAbsent(Enum):
    """What becomes of a table whose player stays away."""

    WAIT = "wait"
    END = "end"
    OPPONENT = "opponent"


@frozen
class Usher:
    """Serves `node`, which plays with the means of `home`."""

    home: Home
    node: Node
    console: Console
    if_absent: IfAbsent

    async def run(self) -> None:
        """Until the table is over."""
        told = -1
        while not self.node.over:
            await trio.sleep(1)
            awaited = self.node.awaited
            if awaited is None or awaited.player == self.node.me:
                continue
            silent = trio.current_time() - awaited.since
            if silent >= _TELL_SECONDS and told != self.node.height:
                told = self.node.height
                name = self.node.charter.name_of(awaited.player)
                self.console.line(f"Waiting for {name} ({awaited.kind}), {silent:.0f} s so far.")
            if self.if_absent is not IfAbsent.WAIT and not self.node.grace_left:
                with suppress(Refused):
                    await self._agree(awaited.player)

    async def _agree(self, absent: int) -> None:
        """With what others have proposed, or with what was said at the beginning. Raises Refused
        where there is nothing more to agree on.
        """
        if self.node.proposals:
            await self.node.vote(self.node.proposals[0])
        elif self.if_absent is IfAbsent.END:
            await self.node.vote(AbsentContent((absent,)))
        elif self.node.me == next(p for p in self._players if p != absent):
            await self._invite(absent)

    @property
    def _players(self) -> range:
        return range(len(self.node.charter.members))

    async def _invite(self, absent: int) -> None:
        """Have an opponent of this house take the seat, and play on there."""
        async with AsyncExitStack() as stack:
            opponent = await another_opponent(stack, self.home)
            key, signer = opponent.identity.public, opponent.identity.sign
            member = Member(key, opponent_name(opponent), os.urandom(NONCE_BYTES))
            content = AbsentContent((absent,), (member,))
            body = self.node.absence(content)
            await self.node.vote(content, {key: Entry.vote(body, signer)})
            while member not in self.node.charter.members:
                await trio.sleep(0.1)
            self.console.line(f"{member.name} takes the seat; the round begins again.")
            await self._play(opponent, absent)

    async def _play(self, opponent: Home, seat: int) -> None:
        agreement = self.node.agreement_for(seat, self.home.endpoint.port)
        await trio.to_thread.run_sync(agreement.keep, opponent.journal)
        table = Agreement.recalled(opponent.journal, opponent.journal.tables()[-1])
        node = Node(opponent.endpoint, opponent.journal, table)
        await node.restore()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(sit_in, node, partial(choose, rng=random.Random()))
            await node.run()
            nursery.cancel_scope.cancel()
