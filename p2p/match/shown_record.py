"""The record of a match, shown to a visitor from its beginning on: as a member has it."""

from typing import Self

import trio
from attrs import define, field

from p2p.match.match_view import MatchView
from p2p.transport.endpoint import say
from p2p.transport.link import Link
from protocol.table.messages import Carry

_AT_ONCE = 16  # parts that are read at once

_AGAIN = 16
"""Parts that are shown again to whoever may have others in their places: as deep as the records
of two members that have come apart are compared (`spec/nodes.md`, 3.8).
"""

_PAUSE_SECONDS = 0.02
"""Between two parts: a visitor takes longer to check one, and the table has the disk to itself."""


@define(eq=False)
class ShownRecord:
    """The record as far as the visitor at the other end of `link` has been shown it.

    These are the parts up to `number`, which is -1 before the first charter.
    """

    source: MatchView
    link: Link
    number: int = -1
    _last: bytes | None = field(default=None, init=False)
    """The part of that number, if it was shown on this link."""

    @classmethod
    def resumed(cls, source: MatchView, link: Link, number: int) -> Self:
        """Return the record for a visitor who has the parts up to `number`, from wherever.

        The last of these may be others than the source has.
        """
        return cls(source, link, max(0, min(number, source.number) - _AGAIN))

    async def show(self) -> None:
        """Show the first charter, and all parts that were not shown yet.

        Waits while the visitor does not read. Raises LinkError.
        """
        if self.number < 0:
            await say(self.link, self.source.greeting())
            self.number = 0
        await self._step_back()
        while self.number < self.source.number:
            for part in await self.source.parts(self.number + 1, _AT_ONCE):
                self.number, self._last = self.number + 1, part
                await say(self.link, Carry(self.number, part))
            await self._step_back()
            if self.number < self.source.number:
                await trio.sleep(_PAUSE_SECONDS)

    async def _step_back(self) -> None:
        """If the match goes on from an earlier part than was shown, begin again before it."""
        number = self.source.number
        there = await self.source.parts(self.number, 1) if 0 < self.number <= number else ()
        if self.number > number or (self._last is not None and self._last not in there):
            self.number, self._last = max(0, min(self.number, number) - _AGAIN), None
