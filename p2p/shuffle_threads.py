"""Threads for the long computations of a table: locking a deck, proving it, and verifying that."""

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
    """Load libsodium, and derive the points that every shuffle of `cards` cards needs.

    Done early, it saves a wait at the first shuffle. Blocks. Raises Refused if the library cannot
    be loaded.
    """
    keep_little()
    generators(cards)
    give_back()


def on_all_cores(function: Callable[[_A], _B], items: Iterable[_A], /) -> list[_B]:
    """Map as `map` does, on as many threads as cores or items (`protocol.parallel.ParallelMap`).

    The threads end with the call, so none waits idle through the game; starting them again takes a
    hundredth of the time of a shuffle. If the system gives no thread, the caller's thread does all.
    """
    return _on_threads(_cores(), function, items)


def on_half_the_cores(function: Callable[[_A], _B], items: Iterable[_A], /) -> list[_B]:
    """Map as `on_all_cores` does, on half of the cores.

    For one of two computations at the same time, and for results that nobody waits for yet: more
    threads than cores would wait for each other, and take 6 % more processor time.
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
    """Do `work` on another thread during the block; the end of the block waits for it.

    For work that is not necessary: it is not done if the system gives no thread, and its errors are
    ignored.
    """
    with ThreadPoolExecutor(1) as pool:
        with suppress(RuntimeError):
            pool.submit(work)
        yield
