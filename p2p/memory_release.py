"""Giving freed memory back to the system, after a table or a deal was prepared."""

import ctypes
import linecache
import sys
from collections.abc import Callable
from functools import cache

_M_MMAP_THRESHOLD, _M_ARENA_MAX = -3, -8  # glibc's malloc.h
_LARGE = 1 << 20  # bytes


def keep_little() -> None:
    """Have the allocator keep little memory for itself from now on.

    Two settings of glibc are changed.

    - Blocks of a megabyte or more go back to the system as soon as they are freed. By default glibc
      gives back only the first such block that is freed, and keeps the later ones. Loading
      libsodium frees several of them, so the default would cost 2 MB.
    - All threads share one heap. By default each thread has its own heap, and some pages of each
      would stay in memory, 0.2 MB in all. One heap is enough, since all threads but one wait for
      Python's lock.
    """
    if (option := _of_glibc("mallopt")) is not None:
        option(_M_MMAP_THRESHOLD, _LARGE)
        option(_M_ARENA_MAX, 1)


def give_back() -> None:
    """Give free memory back to the system, in a quarter of a millisecond at most.

    A node that has loaded libsodium and shuffled gives back 4 MB. A part of these is the source
    text of the methods that attrs makes, which only a debugger reads. The other part was freed
    already, but glibc keeps freed memory until there is a lot of it at the end of a heap. Without
    glibc only the source text is given back.
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
