"""The judging of others' entries: a valid entry gives the next state of the table."""

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import TypeAlias

from attrs import define, field

from p2p.shuffle_threads import on_all_cores, on_half_the_cores
from protocol.reducer import advance
from protocol.state import State

Judge: TypeAlias = Callable[[State, bytes], State]
"""Function that verifies an entry, and returns the state after it.

Raises Unattributable and Exposed if the entry is invalid. Blocks.
"""

_REMEMBERED = 16
"""The number of entries whose results are cached. The records of the nodes in one process seldom
differ by more entries.
"""


def judged(state: State, entry: bytes) -> State:
    """Judge an entry with all its proofs.

    While this node verifies a shuffle, the next player shuffles, perhaps on this machine. So all
    shuffles but the last are verified on half of the cores, which is fast enough: the verification
    ends before the next shuffle comes.
    """
    cores = on_half_the_cores if len(state.writers) > 1 else on_all_cores
    return advance(state, entry, parallel_map=cores)


@define(eq=False)
class _Judgement:
    """The judgement on an entry; `state` is None until a node has verified the entry."""

    lock: threading.Lock = field(factory=threading.Lock, init=False)
    state: State | None = field(default=None, init=False)


@define(eq=False)
class JudgedOnce:
    """A `Judge` for several nodes of one process, with a cache.

    The first node that gets an entry verifies it, and the other nodes wait for the result. The
    cache goes by the head of the state: the head is a digest of the charter and all entries, so
    states with the same head are the same. An invalid entry is judged anew by each node.
    """

    _lock: threading.Lock = field(factory=threading.Lock, init=False)
    """A lock that is held while a thread uses `_found`."""
    _found: OrderedDict[tuple[bytes, bytes], _Judgement] = field(factory=OrderedDict, init=False)
    """The judgements, the oldest first, each under the head before its entry and the entry."""

    def __call__(self, state: State, entry: bytes) -> State:
        """Judge an entry, or wait for the node that already judges it. Blocks.

        Raises Unattributable and Exposed.
        """
        with self._lock:
            found = self._found.setdefault((state.head, entry), _Judgement())
            if len(self._found) > _REMEMBERED:
                self._found.popitem(last=False)
        with found.lock:
            # For an invalid entry `judged` raises, and the state stays None: then the nodes that
            # wait for this lock judge the entry, too.
            if found.state is None:
                found.state = judged(state, entry)
            return found.state
