"""Updates from a node to its client: news, the awaited player, and the progress of a restart."""

from collections.abc import Callable

import trio
from attrs import define, field, frozen

from protocol.table.resync import NOBODY_UNHEARD, Unheard


@frozen
class Awaited:
    """The player who is due."""

    player: int
    kind: str
    """The kind of the entry that is due."""
    since: float
    """The time, on Trio's clock, from which the player's grace counts."""
    linked: bool
    """True if this node has a link to the player."""
    unheard: Unheard = NOBODY_UNHEARD
    """The members from whom this node must hear, after a restart, before it writes."""


@define(eq=False)
class News:
    """Changes for which tasks wait: `next` is an event that is set at the next change."""

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
    """Return a wrapper of `progress`, to be called in a thread that Trio has started.

    When the task that waits for the thread was cancelled, the wrapper raises trio.Cancelled, which
    ends the thread.
    """

    def wrapper(done: int, total: int) -> None:
        trio.from_thread.check_cancelled()
        progress(done, total)

    return wrapper
