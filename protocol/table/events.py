"""The events at one table; its machine answers each with tasks (`protocol.table.tasks`).

The node numbers its links, for a member can have two links for a moment. Times are in seconds; any
clock serves, as long as it is always the same one.
"""

from typing import Generic, TypeAlias

from attrs import frozen

from protocol.errors import Exposed, RemoteError
from protocol.state import State
from protocol.table.messages import TableMessage
from protocol.table.peer import T
from protocol.table.tasks import Compute, Persist, Written


@frozen
class Started:
    """This node begins to play at the table."""


@frozen
class Linked:
    """A link to that member was made. If there is an older link to them, this one replaces it."""

    link: int
    player: int


@frozen
class Unlinked:
    """A link has ended."""

    link: int


@frozen
class Heard:
    """A message has come on a link."""

    link: int
    message: TableMessage


@frozen
class Taken:
    """An entry that came on a link was handled.

    If `is_news`, the record has grown by it. If not, it was known already, was kept for later, or
    was compared with the entry that our record has at that height.
    """

    link: int
    height: int
    is_news: bool


@frozen
class Grown:
    """The record has a new entry by that writer. Now the table waits for the member `awaited`."""

    writer: int
    awaited: int | None


@frozen
class EvidenceKept:
    """The record has new evidence."""


@frozen
class Talked(Generic[T]):
    """The messages that do not concern the record have changed; `talk` has all, old and new."""

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
    """An entry has come from a player, who need not be its writer."""

    player: int
    height: int
    entry: bytes


@frozen
class Computed:
    """A task was computed.

    `found` is its result, which is None for a comparison that finds no contradiction; or the error,
    if an entry of somebody else is not valid.
    """

    task: Compute
    found: State | Written | RemoteError | None


@frozen
class Due:
    """This node may write the entry that it owes: the match is being played at this table now."""


@frozen
class Contradicted:
    """Two signatures of one key contradict each other."""

    error: Exposed


@frozen
class Restored:
    """The record was restored: it has all that the journal has."""


@frozen
class Persisted:
    """All of `what` is on the disk, or will be before anything that is written later."""

    what: Persist


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
