"""Updates that a node gives its client: the player awaited, progress."""

from collections.abc import Callable

import trio
from attrs import frozen

from protocol.table.resync import NOBODY_UNHEARD, Unheard


@frozen
class Awaited:
    """The player who is due, and the kind of their entry.

    `since` is when (Trio's clock, seconds). This node may be `linked` to them directly. `unheard`
    is what a node that came back waits for before it writes.
    """

    player: int
    kind: str
    since: float
    linked: bool
    unheard: Unheard = NOBODY_UNHEARD


Progress = Callable[[int, int], None]
"""Is told how many entries of how many a node has taken up from its journal."""


def no_progress(_done: int, _total: int) -> None:
    """Tell progress to nobody."""


def unless_cancelled(progress: Progress) -> Progress:
    """Tell progress in a thread that Trio has started, which ends where its task is cancelled."""

    def told(done: int, total: int) -> None:
        trio.from_thread.check_cancelled()
        progress(done, total)

    return told
