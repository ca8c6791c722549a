"""Memory that was needed on the way to a table, or to a deal, and is not any more."""

import ctypes
import linecache
import sys
from collections.abc import Callable
from functools import cache


def give_back() -> None:
    """What nobody needs any more goes back to the system: 4 MB of a node that has loaded the
    library and shuffled. Takes a quarter of a millisecond at most.

    attrs keeps the source of each method that it makes, which only a debugger reads. And glibc
    keeps what was freed, in a heap for each thread that has computed something, until a lot of it
    lies at the end of the heap; elsewhere that is left to the system's allocator.
    """
    linecache.clearcache()
    if (trim := _malloc_trim()) is not None:
        trim(0)


@cache
def _malloc_trim() -> Callable[[int], int] | None:
    """malloc_trim(3) of glibc; None with another C library."""
    if sys.platform != "linux":
        return None
    trim: Callable[[int], int] | None = getattr(ctypes.CDLL(None), "malloc_trim", None)
    return trim
