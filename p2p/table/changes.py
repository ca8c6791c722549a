"""What a node tells its client: what has changed at the table, and whom it waits for."""

from collections.abc import Callable

import trio
from attrs import frozen

from p2p.table.resync import NOBODY_UNHEARD, Unheard
from protocol.state import State


@frozen
class Change:
    """The record has grown by one entry: the states before and after it. `taken_back` counts the
    entries that stood in its place and after it until now: an absence does away with them.
    """

    before: State
    after: State
    taken_back: int = 0


@frozen
class Awaited:
    """The player who is due, and the kind of their entry; `since` when (Trio's clock, seconds), and
    whether this node is `linked` to them directly. `unheard` is what a node that came back waits
    for before it writes.
    """

    player: int
    kind: str
    since: float
    linked: bool
    unheard: Unheard = NOBODY_UNHEARD


Progress = Callable[[int, int], None]
"""Is told how many entries of how many a node has taken up from its journal."""


def no_progress(_done: int, _total: int) -> None:
    """For whom nobody waits."""


def unless_cancelled(progress: Progress) -> Progress:
    """Likewise, for a thread that Trio has started: it ends where its task is cancelled."""

    def told(done: int, total: int) -> None:
        trio.from_thread.check_cancelled()
        progress(done, total)

    return told
