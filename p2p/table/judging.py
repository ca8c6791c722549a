"""The step of a node from one state of its table to the next by an entry of somebody else."""

import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeAlias

from attrs import define, field

from p2p.shuffle_threads import on_all_cores, on_half_the_cores
from protocol.reducer import advance
from protocol.state import State

Judge: TypeAlias = Callable[[State, bytes], State]
"""The state after an entry, all of which holds. Raises Unattributable and Exposed. Blocks."""

_REMEMBERED = 16
"""Entries: nodes of one process are hardly further apart than that."""


def judged(state: State, entry: bytes) -> State:
    """Judge an entry for a node of its own: all proofs are verified here and now.

    Before a shuffle that is not the last one somebody shuffles on meanwhile, here or elsewhere;
    half the cores keep pace.
    """
    cores = on_half_the_cores if len(state.writers) > 1 else on_all_cores
    return advance(state, entry, parallel_map=cores)


@define(eq=False)
class JudgedOnce:
    """A `Judge` for several nodes of one process.

    The first of them that has an entry verifies it, the others wait for what it finds. A state
    follows from the charter and the entries, of which its head is a digest; and what has not held
    is not remembered.
    """

    _lock: threading.Lock = field(factory=threading.Lock, init=False)
    _found: OrderedDict[tuple[bytes, bytes], Future[State]] = field(factory=OrderedDict, init=False)

    def __call__(self, state: State, entry: bytes) -> State:
        """Judge an entry, or wait for who does. Raises Unattributable and Exposed. Blocks."""
        place = state.head, entry
        with self._lock:
            found = self._found.get(place)
            is_first = found is None
            if found is None:
                found = self._found[place] = Future()
                while len(self._found) > _REMEMBERED:
                    self._found.popitem(last=False)
        if is_first:
            try:
                found.set_result(judged(state, entry))
            except BaseException as error:
                with self._lock:
                    self._found.pop(place, None)
                found.set_exception(error)
        return found.result()
