"""Memory that was needed on the way to a table, or to a deal, and is not any more."""

import ctypes
import linecache
import sys
from collections.abc import Callable
from functools import cache

_M_MMAP_THRESHOLD, _M_ARENA_MAX = -3, -8  # glibc's malloc.h
_LARGE = 1 << 20  # bytes


def keep_little() -> None:
    """Have the allocator keep little memory for itself from now on.

    Blocks of a megabyte or more go back to the system as soon as they are freed, and no more
    threads have a heap of their own. By itself glibc gives large blocks back only until the first
    of them is freed; the next ones it keeps, each in the heap of the thread that took it. Loading
    libsodium frees several: 2 MB of a node. And of each thread's heap some pages stay, 0.2 MB in
    all; where all but one thread wait for Python's lock, one heap serves them all.
    """
    if (option := _of_glibc("mallopt")) is not None:
        option(_M_MMAP_THRESHOLD, _LARGE)
        option(_M_ARENA_MAX, 1)


def give_back() -> None:
    """Give memory that is free back to the system, in a quarter of a millisecond at most.

    It is 4 MB of a node that has loaded the library and shuffled. attrs keeps the source of each
    method that it makes, which only a debugger reads. And glibc keeps freed memory, in a heap for
    each thread that has computed something, until a lot of it lies at the end of the heap. Other
    systems leave that to their allocators.
    """
    linecache.clearcache()
    if (trim := _of_glibc("malloc_trim")) is not None:
        trim(0)


@cache
def _of_glibc(name: str) -> Callable[..., int] | None:
    """Return a function of glibc's allocator (mallopt(3), malloc_trim(3)), if this is glibc."""
    if sys.platform != "linux":
        return None
    function: Callable[..., int] | None = getattr(ctypes.CDLL(None), name, None)
    return function
