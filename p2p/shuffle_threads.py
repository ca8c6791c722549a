"""Threads for a table's long computations: locking a deck, and making and verifying the proof."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import TypeVar

from p2p.memory_release import give_back, keep_little
from protocol.shuffle_proof import generators

_A = TypeVar("_A")
_B = TypeVar("_B")


def prepare(cards: int) -> None:
    """Load libsodium, and derive the points that every shuffle of `cards` cards needs.

    If it is called early, nobody waits for this at the first shuffle. Blocks. Raises Refused if the
    library cannot be loaded.
    """
    keep_little()
    generators(cards)
    give_back()


def on_all_cores(function: Callable[[_A], _B], items: Iterable[_A], /) -> list[_B]:
    """Map as `map` does, on one thread for each core or item, whichever are fewer.

    The threads end with the call, so that none of them stays idle through the game. Starting new
    ones takes a hundredth of the time of a shuffle. If the system gives too few threads, the
    caller's thread does all the work. This is a `protocol.parallel.ParallelMap`.
    """
    return _on_threads(_cores(), function, items)


def on_half_the_cores(function: Callable[[_A], _B], items: Iterable[_A], /) -> list[_B]:
    """Map as `on_all_cores` does, on half of the cores.

    Use this when two computations run at the same time, or when nobody waits for the result yet. If
    there were more threads than cores, they would wait for each other, and take 6 % more processor
    time.
    """
    return _on_threads(_cores() // 2, function, items)


def _cores() -> int:
    return os.cpu_count() or 1  # on some systems the count is unknown


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
        except RuntimeError:  # not all threads could be started: this thread does everything
            pass
    return [function(item) for item in everything]


@contextmanager
def meanwhile(work: Callable[[], object]) -> Iterator[None]:
    """Do `work` on another thread during the block; the end of the block waits for the work.

    Use this only for work that is not necessary: if the system gives no thread, it is not done, and
    its errors are ignored.
    """
    with ThreadPoolExecutor(1) as pool:
        with suppress(RuntimeError):
            pool.submit(work)
        yield
