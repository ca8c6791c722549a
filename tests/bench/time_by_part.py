"""The time of a node by part: each part counts its own time, without the functions that it calls.

Times are those of the clock, so that a part includes its waits: the journal's for the disk, a
thread's for its turn. The parts are not all of a node's work: Trio's scheduling of tasks, the calls
of sockets, frames, and the measuring itself are in none of them.
"""

import functools
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import trio
from attrs import define, field

from engine.match import Match
from p2p.storage.journal import Journal
from p2p.table import calls, judging, node
from p2p.transport import endpoint
from protocol import player, reducer
from protocol.entries import Entry

_PARTS: tuple[tuple[str, Any, str], ...] = (
    ("judging", Match, "apply"),
    ("proving", player, "prove_unlock"),
    ("signing", Entry, "sign"),
    ("journal, writing", Journal, "append"),
    ("journal, reading", Journal, "entries"),
    ("messages", calls, "pack"),
    ("messages", endpoint, "unpack"),
    ("encryption", ssl.SSLObject, "read"),
    ("encryption", ssl.SSLObject, "write"),
    ("verifying", reducer, "verify_unlock"),
    ("advancing", node, "advance"),
    ("advancing", judging, "advance"),
)
"""Names of parts, and the functions that make them up."""

_THREADS = "changing threads"

NAMES = tuple(dict.fromkeys((*(name for name, _owner, _function in _PARTS), _THREADS)))


@define
class TimeByPart:
    """Seconds by part, since the last reset."""

    seconds: dict[str, float] = field(factory=lambda: dict.fromkeys(NAMES, 0.0))
    _stack: threading.local = field(factory=threading.local)

    def reset(self) -> None:
        self.seconds.update(dict.fromkeys(NAMES, 0.0))

    def count(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function, with its time counted for that part."""

        @functools.wraps(function)
        def counted(*arguments: Any, **keywords: Any) -> Any:
            inner = getattr(self._stack, "inner", 0.0)
            self._stack.inner, start = 0.0, time.perf_counter()
            try:
                return function(*arguments, **keywords)
            finally:
                took = time.perf_counter() - start
                self.seconds[name] += took - self._stack.inner
                self._stack.inner = inner + took

        return counted

    def in_thread(self, run_sync: Callable[..., Any]) -> Callable[..., Any]:
        """Return `trio.to_thread.run_sync` with its own time counted, without the function's."""

        @functools.wraps(run_sync)
        async def counted(function: Callable[..., Any], *arguments: Any, **keywords: Any) -> Any:
            took = 0.0

            def timed(*arguments: Any) -> Any:
                nonlocal took
                start = time.perf_counter()
                try:
                    return function(*arguments)
                finally:
                    took = time.perf_counter() - start

            start = time.perf_counter()
            try:
                return await run_sync(timed, *arguments, **keywords)
            finally:
                self.seconds[_THREADS] += time.perf_counter() - start - took

        return counted


@contextmanager
def measured() -> Iterator[TimeByPart]:
    """Measure this process as long as the block lasts."""
    parts = TimeByPart()
    before = [(owner, name, vars(owner)[name]) for _part, owner, name in _PARTS]
    run_sync = trio.to_thread.run_sync
    try:
        for part, owner, name in _PARTS:
            function = vars(owner)[name]
            if isinstance(function, classmethod):
                counted: Any = classmethod(parts.count(part, function.__func__))
            else:
                counted = parts.count(part, function)
            setattr(owner, name, counted)
        trio.to_thread.run_sync = parts.in_thread(run_sync)  # type: ignore[assignment]
        yield parts
    finally:
        for owner, name, function in before:
            setattr(owner, name, function)
        trio.to_thread.run_sync = run_sync
