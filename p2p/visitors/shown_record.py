"""The record of a table, shown to a visitor from its beginning on: as a member has it, in parts."""

from collections.abc import Sequence
from typing import Protocol, Self

import trio
from attrs import define, field

from p2p.transport.endpoint import say
from p2p.transport.link import Link
from p2p.transport.messages import Agreed, Carry
from protocol.entries import Entry

_PART = 16  # entries read at once

_AGAIN = 16
"""Entries that are shown again to whoever may have others in their places: as deep as the records
of two members that have come apart are compared (`spec/record.md`, 8.8).
"""

_PAUSE_SECONDS = 0.02
"""Between two parts: a visitor takes longer to check one, and the table has the disk to itself."""


class Source(Protocol):
    """A node at the table."""

    @property
    def height(self) -> int: ...

    def greeting(self) -> Agreed: ...

    def head_at(self, height: int) -> bytes: ...

    async def entries(self, since: int, most: int) -> Sequence[bytes]: ...


@define(eq=False)
class ShownRecord:
    """What the visitor at the other end of `link` has been shown: the entries up to `height`, which
    is -1 before the charter.
    """

    source: Source
    link: Link
    height: int = -1
    _head: bytes | None = field(default=None, init=False)
    """Of the entry at `height`, if it was shown on this link."""

    @classmethod
    def resumed(cls, source: Source, link: Link, height: int) -> Self:
        """For a visitor who has entries up to `height`, from wherever: the last of these may be
        others than the source has.
        """
        return cls(source, link, max(0, min(height, source.height) - _AGAIN))

    async def show(self) -> None:
        """The charter, and all entries that they have not been shown. Waits while they do not read.
        Raises LinkError.
        """
        if self.height < 0:
            await say(self.link, self.source.greeting())
            self.height = 0
        self._step_back()
        while self.height < self.source.height:
            for entry in await self.source.entries(self.height + 1, _PART):
                self.height, self._head = self.height + 1, Entry.decode(entry).head
                await say(self.link, Carry(self.height, entry))
            self._step_back()
            if self.height < self.source.height:
                await trio.sleep(_PAUSE_SECONDS)

    def _step_back(self) -> None:
        """If the source has taken back entries that were shown, begin again before them."""
        height = self.source.height
        shown = self._head in {None, self.source.head_at(min(self.height, height))}
        if self.height > height or not shown:
            self.height, self._head = max(0, min(self.height, height) - _AGAIN), None
