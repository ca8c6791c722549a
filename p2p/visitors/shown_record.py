"""The record of a table, shown to a visitor from its beginning on: as a member has it, in parts."""

from collections.abc import Sequence
from typing import Protocol

import trio
from attrs import define

from p2p.transport.endpoint import say
from p2p.transport.link import Link
from p2p.transport.messages import Agreed, Carry

_PART = 16  # entries read at once

_PAUSE_SECONDS = 0.02
"""Between two parts: a visitor takes longer to check one, and the table has the disk to itself."""


class Source(Protocol):
    """A node at the table."""

    @property
    def height(self) -> int: ...

    def greeting(self) -> Agreed: ...

    async def entries(self, since: int, most: int) -> Sequence[bytes]: ...


@define(eq=False)
class ShownRecord:
    """What the visitor at the other end of `link` has been shown: the entries up to `height`, which
    is -1 before the charter.
    """

    source: Source
    link: Link
    height: int = -1

    async def show(self) -> None:
        """The charter, and all entries that they have not been shown. Waits while they do not read.
        Raises LinkError.
        """
        if self.height < 0:
            await say(self.link, self.source.greeting())
            self.height = 0
        while self.height < self.source.height:
            for entry in await self.source.entries(self.height + 1, _PART):
                self.height += 1
                await say(self.link, Carry(self.height, entry))
            if self.height < self.source.height:
                await trio.sleep(_PAUSE_SECONDS)
