"""The events that a node's knowledge of its peers takes, and what it asks of the node then.

Links are numbered by the node: a member can have two for a moment. Times are seconds of any one
clock.
"""

import math
from collections.abc import Iterator, Sequence
from typing import Generic, TypeAlias

from attrs import define, field, frozen

from protocol.entries import is_entry_of
from protocol.table.messages import Carry, TableMessage
from protocol.table.peer import T


@frozen
class Started:
    """This node begins to play at the table."""


@frozen
class Linked:
    """There is a link to that member now, which replaces an older one to them."""

    link: int
    player: int


@frozen
class Unlinked:
    """A link has ended."""

    link: int


@frozen
class Heard:
    """A message has come by a link."""

    link: int
    message: TableMessage


@frozen
class Judged:
    """An entry that has come by a link was appended, if it is news, or compared with ours."""

    link: int
    height: int
    is_news: bool


@frozen
class Grown:
    """The record has another entry, of that writer; the table waits for the member `awaited`."""

    writer: int
    awaited: int | None


@frozen
class Exposed:
    """The evidence of the record is new."""


@frozen
class Talked(Generic[T]):
    """The messages beside the record are these now."""

    talk: tuple[T, ...]


@frozen
class Lost:
    """The member at the other end of a link does not read: messages to them are lost."""

    link: int


@frozen
class Ticked:
    """Time has gone by."""


@frozen
class Left:
    """This node is about to end all links."""


PeerEvent: TypeAlias = (
    Started
    | Linked
    | Unlinked
    | Heard
    | Judged
    | Grown
    | Exposed
    | Talked[T]
    | Lost
    | Ticked
    | Left
)


@frozen
class Entries:
    """The entries of these heights, one at least and in order, but those signed by the key
    `without`: to be read, and sent.
    """

    heights: tuple[int, ...]
    without: bytes = field(default=b"", repr=bytes.hex)

    def messages(self, entries: Sequence[bytes]) -> Iterator[Carry]:
        """Return the messages, given the entries of the record from the first height on."""
        for height, entry in enumerate(entries, self.heights[0]):
            if height in self.heights and not (self.without and is_entry_of(entry, self.without)):
                yield Carry(height, entry)


@define
class Ready(Generic[T]):
    """The outcome of an event: what is to be sent by which links, in order. The first `urgent` of
    it has to leave before anything else is there to be sent. At the time `wake` something is due.
    `is_news`: the message was none that a member can make up again and again. `has_changed`:
    something else is known of the members, or of the record, than before.
    """

    send: list[tuple[int, TableMessage | Entries | T]] = field(factory=list)
    urgent: int = 0
    wake: float = math.inf
    is_news: bool = False
    has_changed: bool = False
