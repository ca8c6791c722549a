"""Memory that the program no longer needs and gives back to the system."""

import linecache
import platform
import subprocess
import sys
from collections.abc import Callable

import pytest
from attrs import frozen

from p2p import memory_release
from p2p.memory_release import give_back, keep_little
from p2p.shuffle_threads import on_all_cores, prepare
from tests.bench.process_memory import resident_megabytes

_BLOCK = 1000  # bytes: too large for Python's own allocator, too small for an mmap of its own
_MEGABYTES = 20


def leave_holes() -> list[bytes]:
    """Allocate 20 MB in small blocks, and free all but the last one.

    That block lies at the end of the heap, so the allocator keeps the free memory below it.
    """
    blocks = [bytes(_BLOCK) for _block in range(_MEGABYTES * 1_000_000 // _BLOCK)]
    return blocks[-1:]


glibc = pytest.mark.skipif(
    platform.libc_ver()[0] != "glibc", reason="only glibc is asked to give memory back"
)


@glibc
@pytest.mark.parametrize("work", [give_back, lambda: prepare(4), lambda: on_all_cores(abs, [-1])])
def test_freed_memory_goes_back_to_the_system(work: Callable[[], object]) -> None:
    work()
    last = leave_holes()
    before = resident_megabytes()
    work()
    assert resident_megabytes() < before - _MEGABYTES / 2
    assert len(last) == 1


_LARGE_BLOCKS = """
from threading import Thread
from tests.bench.process_memory import resident_megabytes
from p2p.memory_release import keep_little
keep_little()
def work():
    for size in (6, 3):
        len(b"x" * (size * 1_000_000))
before = resident_megabytes()
thread = Thread(target=work)
thread.start()
thread.join()
print(resident_megabytes() - before)
"""


@glibc
def test_large_blocks_are_released_at_once_by_every_thread() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _LARGE_BLOCKS], capture_output=True, text=True, check=True
    )
    assert float(done.stdout) < 1.5


@pytest.mark.parametrize("work", [give_back, keep_little])
def test_nothing_is_asked_of_another_allocator(
    monkeypatch: pytest.MonkeyPatch, work: Callable[[], None]
) -> None:
    monkeypatch.setattr(memory_release, "_of_glibc", lambda _name: None)
    work()


def test_preparing_limits_the_memory_that_glibc_keeps_and_then_releases_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """`prepare` sets M_MMAP_THRESHOLD (-3) to 1 MB and M_ARENA_MAX (-8) to 1.

    At the end it makes glibc give all free memory back.
    """
    asked: list[tuple[object, ...]] = []
    monkeypatch.setattr(
        memory_release, "_of_glibc", lambda name: lambda *numbers: asked.append((name, *numbers))
    )
    prepare(4)
    assert asked == [("mallopt", -3, 1 << 20), ("mallopt", -8, 1), ("malloc_trim", 0)]


def test_the_sources_of_classes_made_by_attrs_are_not_kept() -> None:
    @frozen
    class Made:
        number: int

    name = Made.__init__.__code__.co_filename
    assert name in linecache.cache
    give_back()
    assert name not in linecache.cache
    assert Made(1) == Made(1)
