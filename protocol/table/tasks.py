"""The tasks of a node at one table after an event: to write, to send, to show and to compute."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Generic, TypeAlias

from attrs import define, field, frozen

from protocol.entries import is_entry_of
from protocol.errors import Exposed
from protocol.state import State
from protocol.table.messages import Carry, TableMessage
from protocol.table.peer import T


@frozen
class Change:
    """A step of the match, by an entry or a continuation: the states before and after."""

    before: State
    after: State
    taken_back: int = 0
    """The number of entries that this step makes void. They are the entries after the place where a
    continuation starts, or those after a fork, when another record replaces them. In the second
    case `after` is the state at the fork.
    """

    @property
    def continues(self) -> bool:
        """True for a continuation, by which the match goes on at another table."""
        return self.before.table_id != self.after.table_id


@frozen
class Append:
    """The next entry is to be written to the journal."""

    after: State
    """The state after the entry."""
    entry: bytes
    secrets: Mapping[str, bytes] | None = field(default=None, repr=False)
    """The secrets of this node's own entry. They are written with it, and the entry is sent only
    when both are on the disk. None for an entry that need not be on the disk before it is sent: one
    of somebody else, or one that this node would write again in the same bytes.
    """
    is_deferred: bool = False
    """True if the entry may reach the journal a moment later."""


@frozen
class TakeOther:
    """The entries after the state `fork` are to be replaced by others."""

    fork: State
    steps: tuple[tuple[State, bytes], ...] = field(repr=False)
    """The new entries in order, each in a pair with the state that it leads to: (state, entry)."""

    @property
    def end(self) -> State:
        """The state after all steps."""
        return self.steps[-1][0]


@frozen
class Evidence:
    """The evidence that exposes somebody is to be written to the journal."""

    error: Exposed


@frozen
class Begin:
    """This node begins to write after a restart. If its journal was in `doubt`, that is over."""

    doubt: bool


Persist: TypeAlias = Append | TakeOther | Evidence | Begin


@frozen
class JudgeEntry:
    """Somebody else's entry is to be judged in the state before it."""

    before: State
    """The state before the entry."""
    entry: bytes
    is_brief: bool = False
    """True if judging takes less time than handing it to a thread."""
    shuffles_on: bool = False
    """True if this node meanwhile makes its own shuffle, which comes next."""
    is_early: bool = False
    """True if the entry had come before the entry that it continues. So the message that is being
    handled now is not the one that brought it, and may be of another member.
    """
    of: int | None = None
    """The member who has carried the entry, if their record differs from ours after a fork."""


@frozen
class CompareEntry:
    """An entry that came is to be compared with the one that our record has at that height."""

    height: int
    entry: bytes


@frozen
class WriteEntry:
    """This node's next entry is to be written in the state `before`; see `JudgeEntry.is_brief`."""

    before: State
    is_brief: bool


@frozen
class Written:
    """This node's next entry, which leads to the state `after`."""

    after: State
    entry: bytes
    secrets: Mapping[str, bytes] = field(repr=False)


Compute: TypeAlias = JudgeEntry | CompareEntry | WriteEntry


@frozen
class Entries:
    """The entries of these heights, which are to be read and sent.

    There is at least one height, and the heights are in order. Entries signed by the key `without`
    are left out.
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
    """The tasks of a node after an event."""

    persist: list[Persist] = field(factory=list)
    """Tasks for the disk. `Persisted` comes after each task; before it, others are not told."""
    send: list[tuple[int, TableMessage | Entries | T]] = field(factory=list)
    """Pairs of a link and what is to be sent on it, in order."""
    urgent: int = 0
    """The number of items at the head of `send` that have to leave before the rest is queued."""
    changes: list[Change] = field(factory=list)
    """The changes of the match that are to be shown, in order."""
    compute: Compute | None = None
    """A task to be computed. `Computed` comes after it."""
    erase: tuple[str, ...] = ()
    """The names of secrets to be erased from the journal: no later entry needs them."""
    wake: float = math.inf
    """The time at which `Ticked` should come next."""
    is_news: bool = False
    """True if the message was news. Messages that are not news are limited, because a member can
    make up any number of them."""
    has_changed: bool = False
    """True if something has changed in what this node knows of the members or of the record."""
