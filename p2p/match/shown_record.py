"""The record of a match, as a member's node shows it to a visitor part by part."""

from typing import Self

import trio
from attrs import define, field

from p2p.match.history import KeptHistory
from p2p.transport.endpoint import say
from p2p.transport.link import Link
from protocol.table.messages import Carry

_AT_ONCE = 16
"""The number of parts that are read from the journal at once."""

_AGAIN = 16
"""The number of parts that are shown again to a visitor whose last parts may differ from ours.
Members, too, compare their last 16 entries when their records differ (`spec/nodes.md`, 3.8).
"""

_PAUSE_SECONDS = 0.02
"""Seconds of pause between two batches of parts. Meanwhile the table has the disk to itself. The
visitor loses no time, since they need longer to check the parts.
"""


@define(eq=False)
class ShownRecord:
    """A record that is shown to a visitor."""

    source: KeptHistory
    """The record."""
    link: Link
    """The link to the visitor."""
    number: int = -1
    """The number of the last part that the visitor has; -1 before the first charter."""
    _last: bytes | None = field(default=None, init=False)
    """The part with number `number`, if it was shown on this link."""

    @classmethod
    def resumed(cls, source: KeptHistory, link: Link, number: int) -> Self:
        """Return the record for a visitor who got the parts up to `number` on other links.

        The visitor's last parts may differ from the source's, so `_AGAIN` parts are shown again.
        """
        return cls(source, link, max(0, min(number, source.number) - _AGAIN))

    async def show(self) -> None:
        """Show the first charter, and all parts that were not shown yet.

        This waits as long as the visitor does not read. Raises LinkError.
        """
        if self.number < 0:
            await say(self.link, self.source.greeting())
            self.number = 0
        await self._step_back()
        while self.number < self.source.number:
            for part in await self.source.parts(self.number + 1, _AT_ONCE):
                self.number, self._last = self.number + 1, part
                await say(self.link, Carry(self.number, part))
            # While these parts were sent, a continuation may have made some of them void.
            await self._step_back()
            if self.number < self.source.number:
                await trio.sleep(_PAUSE_SECONDS)

    async def _step_back(self) -> None:
        """Go back some parts if the last part shown is not in the source's record any more.

        A part is removed from the record when a continuation goes on from an earlier height.
        """
        number = self.source.number
        is_gone = self.number > number
        if self._last is not None and not is_gone:
            is_gone = self._last not in await self.source.parts(self.number, 1)
        if is_gone:
            self.number, self._last = max(0, min(self.number, number) - _AGAIN), None
