"""Threads for the long computations of a table: to lock a deck, to prove that, and to verify it."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import TypeVar

from p2p.memory import give_back, keep_little
from protocol.shuffle_proof import generators

_A = TypeVar("_A")
_B = TypeVar("_B")


def prepare(cards: int) -> None:
    """Load the library and derive the points that every shuffle of so many cards takes.

    It saves the wait later. Blocks. Raises Refused when the library cannot be loaded.
    """
    keep_little()
    generators(cards)
    give_back()


def on_all_cores(function: Callable[[_A], _B], items: Iterable[_A], /) -> list[_B]:
    """Map as `map` does, on a thread for each item, or core (`protocol.parallel.ParallelMap`).

    The threads end with the call: starting them again takes a hundredth of a shuffle, and none
    waits idle through the game. Where the system gives no thread the caller's own one does it all.
    """
    return _on_threads(_cores(), function, items)


def on_half_the_cores(function: Callable[[_A], _B], items: Iterable[_A], /) -> list[_B]:
    """Map as `on_all_cores` does, on half of them.

    It is for one of two computations at once, and for results that nobody waits for yet: threads
    that wait for each other take 6 % more of the processor.
    """
    return _on_threads(_cores() // 2, function, items)


def _cores() -> int:
    return os.cpu_count() or 1  # some systems do not tell


def _on_threads(most: int, function: Callable[[_A], _B], items: Iterable[_A]) -> list[_B]:
    results = _computed(most, function, list(items))
    give_back()
    return results


def _computed(most: int, function: Callable[[_A], _B], everything: Sequence[_A]) -> list[_B]:
    threads = min(most, len(everything))
    if threads > 1:
        try:
            with ThreadPoolExecutor(threads) as pool:
                return list(pool.map(function, everything))
        except RuntimeError:  # no thread could be started, or not all: nothing is lost by it
            pass
    return [function(item) for item in everything]


@contextmanager
def meanwhile(work: Callable[[], object]) -> Iterator[None]:
    """Do `work` on another thread during the block, the end of which waits for it.

    It is for work that can be left undone: it is, where the system gives no thread, and its errors
    are nobody's.
    """
    with ThreadPoolExecutor(1) as pool:
        with suppress(RuntimeError):
            pool.submit(work)
        yield
