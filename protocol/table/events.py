"""The events at one table, and what its node is to do after each.

Links are numbered by the node: a member can have two for a moment. Times are seconds of any one
clock.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Generic, TypeAlias

from attrs import define, field, frozen

from protocol.entries import is_entry_of
from protocol.errors import Exposed, RemoteError
from protocol.state import State
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
class Taken:
    """An entry that came by a link was handled: appended if it is news, else compared with ours."""

    link: int
    height: int
    is_news: bool


@frozen
class Grown:
    """The record has another entry, of that writer; the table waits for the member `awaited`."""

    writer: int
    awaited: int | None


@frozen
class EvidenceKept:
    """The record has new evidence."""


@frozen
class Talked(Generic[T]):
    """The messages beside the record have changed; `talk` has all of them now."""

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


# -- events by which the record may grow: only one is handled at a time


@frozen
class Carried:
    """A member has carried an entry here, their own or not."""

    player: int
    height: int
    entry: bytes


@frozen
class Computed:
    """A task was computed: what was found, or why an entry of somebody else does not hold."""

    task: "Compute"
    found: "State | Written | RemoteError | None"


@frozen
class Due:
    """The match is played here, and this node may write what is due from it."""


@frozen
class Contradicted:
    """Two signatures of a key contradict each other."""

    error: Exposed


@frozen
class Restored:
    """The record has all that the journal has."""


@frozen
class Persisted:
    """All of `what` is on the disk, or will be before anything that is kept later."""

    what: "Persist"


TableEvent: TypeAlias = (
    Started
    | Linked
    | Unlinked
    | Heard
    | Taken
    | Grown
    | EvidenceKept
    | Talked[T]
    | Lost
    | Ticked
    | Left
    | Carried
    | Computed
    | Due
    | Contradicted
    | Restored
    | Persisted
)


# -- what is to be done


@frozen
class Change:
    """A step of the match, by an entry or a continuation: the states before and after.

    `taken_back` is the number of entries that are void from then on: those after the place that is
    continued, or those behind a fork. After a fork, `after` is the state before the fork.
    """

    before: State
    after: State
    taken_back: int = 0

    @property
    def continues(self) -> bool:
        """True for a continuation, by which the match goes on at another table."""
        return self.before.table_id != self.after.table_id


@frozen
class Append:
    """The next entry, which leads to the state `after`, is to be kept.

    `secrets` are those of this node's own entry, and are to be kept with it. The entry is sent only
    when both are on the disk. They are None for an entry of others, or one that would be written
    again in the same bytes. With `is_deferred` the entry may reach the journal a moment later.
    """

    after: State
    entry: bytes
    secrets: Mapping[str, bytes] | None = field(default=None, repr=False)
    is_deferred: bool = False


@frozen
class TakeOther:
    """The entries behind the state `fork` are to be replaced by others.

    `steps` has the new entries in order, each in a pair with the state that it leads to.
    """

    fork: State
    steps: tuple[tuple[State, bytes], ...] = field(repr=False)

    @property
    def end(self) -> State:
        """The state after all steps."""
        return self.steps[-1][0]


@frozen
class Evidence:
    """The entries that expose somebody are to be kept."""

    error: Exposed


@frozen
class Begin:
    """This node is about to write after a restart: if its journal was in `doubt`, that ends."""

    doubt: bool


Persist: TypeAlias = Append | TakeOther | Evidence | Begin


@frozen
class JudgeEntry:
    """Somebody else's entry is to be judged in the state `before`.

    `is_brief`: judging takes less time than handing it to a thread. `shuffles_on`: this node
    shuffles at the same time. `is_early`: the entry came before its turn, so the link that is being
    served did not bring it. `of` is the member whose record has the entry, if that record has come
    apart from ours.
    """

    before: State
    entry: bytes
    is_brief: bool = False
    shuffles_on: bool = False
    is_early: bool = False
    of: int | None = None


@frozen
class CompareEntry:
    """An entry that somebody carries is to be compared with the one of that height here."""

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

    There is at least one height, and all are in order. Entries signed by the key `without` are left
    out.
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
    """To be kept, each followed by `Persisted`; only then are others told of it."""
    send: list[tuple[int, TableMessage | Entries | T]] = field(factory=list)
    """To be sent by these links, in order."""
    urgent: int = 0
    """The number of items at the head of `send` that leave before the others are queued."""
    changes: list[Change] = field(factory=list)
    """To be shown, in order."""
    compute: Compute | None = None
    """To be computed, and followed by `Computed`."""
    erase: tuple[str, ...] = ()
    """The names of secrets that no later entry needs."""
    wake: float = math.inf
    """The time at which something is due."""
    is_news: bool = False
    """True if the message was one that a member cannot make up without end."""
    has_changed: bool = False
    """True if anything that is known of the members, or of the record, has changed."""
