"""Votes about absent players, at a node whose seat a program plays."""

from collections.abc import Callable
from contextlib import suppress
from enum import Enum

import trio
from attrs import frozen

from client.i18n.language import _
from client.session.display.absence import (
    TELL_SECONDS,
    SubstituteSource,
    expected_elsewhere,
    is_lonely,
)
from p2p.table.node import Node
from protocol.entries import AbsentContent
from protocol.errors import Refused

_INVITE_SECONDS = 60.0  # for a record to be shown, checked and signed for


class IfAbsent(Enum):
    """What such a node agrees on, once the grace is over."""

    WAIT = "wait"
    END = "end"
    OPPONENT = "opponent"
    PERSON = "person"


@frozen
class AbsencePolicy:
    """Votes at `node`; bots come from `substitutes`."""

    node: Node
    substitutes: SubstituteSource
    tell: Callable[[str], None]
    if_absent: IfAbsent

    async def run(self) -> None:
        """Until the match is over."""
        told = b""
        while not self.node.over:
            await trio.sleep(1)
            awaited = self.node.awaited
            if awaited is None or awaited.player == self.node.me:
                continue
            silent = trio.current_time() - awaited.since
            if silent >= TELL_SECONDS and told != self.node.state.head:
                told = self.node.state.head
                name = self.node.charter.name_of(awaited.player)
                self.tell(
                    _("Waiting for {name}, {seconds} s so far.").format(
                        name=name, seconds=int(silent)
                    )
                )
            here = {self.node.me, *self.node.asides.left, *self.substitutes.own}
            if is_lonely(self.node.unreached, expected_elsewhere(len(self._players), here)):
                continue
            if self.if_absent is not IfAbsent.WAIT and not self.node.grace_left:
                with suppress(Refused):
                    await self._agree(awaited.player)

    async def _agree(self, absent: int) -> None:
        """Agree to what others have proposed, or propose `if_absent`.

        Raises Refused where no vote is possible.
        """
        if self.node.proposals:
            await self.node.vote(self.node.proposals[0])
        elif self.if_absent is IfAbsent.END:
            await self.node.vote(AbsentContent((absent,)))
        elif self.if_absent is IfAbsent.PERSON:
            await self._give_to_person(absent)
        elif self.node.me == next(p for p in self._players if p != absent):
            await self.substitutes.invite((absent,))

    async def _give_to_person(self, absent: int) -> None:
        """Propose the first candidate to whom nothing is objected. Raises Refused."""
        for candidate in self.node.candidates:
            if candidate.objection is None:
                with trio.move_on_after(_INVITE_SECONDS):
                    await self.node.vote(await self.node.invite({absent: candidate.key}))
                    return

    @property
    def _players(self) -> range:
        return range(len(self.node.charter.members))
