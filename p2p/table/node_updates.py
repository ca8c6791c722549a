"""Updates from a node to its client: news, the awaited player, and the progress of a restart."""

from collections.abc import Callable

import trio
from attrs import define, field, frozen

from protocol.table.resync import NOBODY_UNHEARD, Unheard


@frozen
class Awaited:
    """The player who is due, and the kind of their entry.

    `since` is the time from which their grace counts, in seconds on Trio's clock. `linked` is True
    if this node has a link to them. `unheard` has the members for whom this node waits after a
    restart before it writes.
    """

    player: int
    kind: str
    since: float
    linked: bool
    unheard: Unheard = NOBODY_UNHEARD


@define(eq=False)
class News:
    """Changes that tasks wait for: `next` is an event that is set at the next change."""

    next: trio.Event = field(factory=trio.Event, init=False)

    def tell(self) -> None:
        """Set `next`, and replace it."""
        self.next.set()
        self.next = trio.Event()


Progress = Callable[[int, int], None]
"""Function that is called with the number of entries replayed from the journal, and their total."""


def no_progress(_done: int, _total: int) -> None:
    """Ignore the progress."""


def unless_cancelled(progress: Progress) -> Progress:
    """Return `progress` for a thread that Trio has started.

    A call raises trio.Cancelled, and so ends the thread, once the thread's task is cancelled.
    """

    def told(done: int, total: int) -> None:
        trio.from_thread.check_cancelled()
        progress(done, total)

    return told
