"""Parallel maps: long computations on threads of the caller. `protocol` itself starts no threads.

libsodium lets other threads run while it computes, so a deck of a hundred cards is locked, proven
and verified almost twice as fast on two cores.  Callers with threads pass the `map` of an executor
wherever a function takes a `parallel_map`.  The built-in `map`, always the default, computes in the
calling thread.  The result is the same in any case.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain
from typing import Protocol, TypeVar

_A = TypeVar("_A")
_B = TypeVar("_B")

_FEWEST = 32  # items in a task: 2 ms of work, while handing a task over takes 0.03 ms
_MOST_TASKS = 4  # more tasks gain nothing: threads wait for each other when one begins or ends


class ParallelMap(Protocol):
    """`map`, or an executor's `map`: the results in the order of the items."""

    def __call__(self, function: Callable[[_A], _B], items: Iterable[_A], /) -> Iterable[_B]: ...


def _tasks(items: int) -> int:
    """Return the number of slices into which that number of items is cut."""
    # A hand of 11 cards makes one slice, a deck of 108 makes three, and one of 270 makes four.
    return max(1, min(_MOST_TASKS, items // _FEWEST))


def by_slices(
    parallel_map: ParallelMap, function: Callable[[list[_A]], _B], items: Iterable[_A]
) -> Iterable[_B]:
    """Cut the items into slices, and return the result of `function` for each slice.

    If there is only one slice, the calling thread computes it.
    """
    everything = list(items)
    count = _tasks(len(everything))
    if count == 1:
        return [function(everything)]
    # The size is rounded up: 110 items in 3 slices make 37, 37 and 36.
    size = -(-len(everything) // count)
    slices = [everything[i : i + size] for i in range(0, len(everything), size)]
    return parallel_map(function, slices)


def each(
    parallel_map: ParallelMap, function: Callable[[_A], _B], items: Iterable[_A]
) -> tuple[_B, ...]:
    """Return the result of `function` for each item. The items are handed over in slices."""

    def of_slice(part: list[_A]) -> list[_B]:
        return [function(item) for item in part]

    return tuple(chain.from_iterable(by_slices(parallel_map, of_slice, items)))
