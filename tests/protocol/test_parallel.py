"""Parallel work is cut into a few slices, and small work stays in the calling thread."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

import pytest

from protocol.lock_key import LockKey
from protocol.parallel import by_slices, each
from tests.protocol.seeded import seeded

KEY = LockKey.generate(seeded("key"))


_A = TypeVar("_A")
_B = TypeVar("_B")


def no_threads(_function: Callable[[_A], _B], _items: Iterable[_A], /) -> Iterable[_B]:
    raise AssertionError("handed over")


@pytest.mark.parametrize("items", [0, 1, 32, 63])
def test_little_work_stays_in_the_calling_thread(items: int) -> None:
    """Handing little work over to another thread would take longer."""
    assert each(no_threads, abs, range(items)) == tuple(range(items))


@pytest.mark.parametrize(
    ("items", "sizes"),
    [(64, [32, 32]), (108, [36, 36, 36]), (127, [43, 43, 41]), (1000, [250, 250, 250, 250])],
)
def test_work_on_a_deck_is_cut_into_equal_slices(items: int, sizes: list[int]) -> None:
    with pytest.raises(AssertionError, match="handed over"):
        each(no_threads, abs, range(items))
    assert list(by_slices(map, len, range(items))) == sizes
    assert each(map, abs, range(items)) == tuple(range(items))
