"""Child processes that do work for the program; each is connected to the program by a pipe.

- Children are spawned, not forked: this works on all systems, and shares no state by accident.
- A child ends when its pipe is closed, so none outlives the program, even if the program crashes.
- Ctrl-C does not interrupt children, only the program.
- Children write nothing to the terminal: an error in a child is sent through the pipe, or ends the
  child.
"""

import os
import signal
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pickle import PicklingError
from traceback import format_exc
from typing import Any, TypeVar

from attrs import define, field, frozen

from protocol.errors import LocalError

T = TypeVar("T")
V = TypeVar("V")

_STANDARD_ERROR = 2


class ProcessesDied(LocalError):
    """The error for child processes that have all ended before their work was done."""


@frozen
class Child:
    """A child process, and our end of its pipe."""

    process: BaseProcess
    pipe: Connection

    def send(self, what: object) -> bool:
        """Send an object to the child, and return True; return False if the child has ended."""
        with suppress(OSError):
            self.pipe.send(what)
            return True
        return False

    def end(self) -> None:
        self.pipe.close()
        self.process.terminate()
        self.process.join()


def started(serve: Callable[..., None], *arguments: object) -> Child:
    """Start a child process that runs `serve`, a function at the top level of a module.

    The first argument of `serve` is the child's end of the pipe; `arguments` follow. Raises OSError
    if no process can be started.
    """
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    with theirs, ExitStack() as cleanup:
        cleanup.callback(ours.close)
        process = context.Process(target=_serve, args=(serve, theirs, *arguments), daemon=True)
        with _interrupts_blocked(), _silent():
            process.start()
        cleanup.pop_all()
    return Child(process, ours)


def readable(children: Sequence[Child], seconds: float | None = None) -> list[Child]:
    """Return the children that have sent something, or have ended.

    If no child has, wait until one has, for at most `seconds` (None: for ever).
    """
    ready = wait([child.pipe for child in children], seconds)
    return [child for child in children if child.pipe in ready]


def _serve(serve: Callable[..., None], pipe: Connection, *arguments: object) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(EOFError, OSError):
        serve(pipe, *arguments)


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Block interrupts while processes are started, on systems with signal masks.

    The processes inherit the signal mask, so Ctrl-C does not interrupt them, even at their start.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _silent() -> Iterator[None]:
    """Discard the error output of the processes that are started in this block.

    Otherwise Python would write a traceback to the terminal if a process died early.
    """
    try:
        kept = os.dup(_STANDARD_ERROR)
    except OSError:  # this process has no standard error
        yield
        return
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, _STANDARD_ERROR)
        os.close(nowhere)
        yield
    finally:
        os.dup2(kept, _STANDARD_ERROR)
        os.close(kept)


# -- work shared among children


def on_all_cores(
    work: Callable[[V], T],
    items: Sequence[V],
    *,
    on_done: Callable[[int], None] = lambda _count: None,
    processes: int | None = None,
) -> list[T]:
    """Return the results of `work` for all items, in the order of the items.

    `work` is a function at the top level of a module, which runs in `processes` processes (None:
    one for each core), or in one for each item if that is fewer. If this number is 1, the work is
    done in the caller's own process. If some processes cannot be started, or die, the other
    processes do their part. After each item, `on_done` is called with the number of items finished
    so far.

    Raises the errors of `work`, OSError if no process can be started, and ProcessesDied. Raises
    RuntimeError for a result or an error that cannot be sent through a pipe.
    """
    count = min(len(items), processes or os.cpu_count() or 1)
    if count > 1:
        return _Crew(work, items, on_done).run(count)
    results = []
    for item in items:
        results.append(work(item))
        on_done(len(results))
    return results


@define
class _Crew:
    """Children that share a list of items; each works on one item at a time."""

    work: Callable[[Any], Any]
    items: Sequence[Any]
    on_done: Callable[[int], None]
    left: deque[int] = field(init=False)
    """Numbers of the items that no child has taken."""
    results: dict[int, Any] = field(factory=dict, init=False)
    busy: list[tuple[Child, int]] = field(factory=list, init=False)
    """Children at work, each with the number of its item."""
    idle: list[Child] = field(factory=list, init=False)
    """Children that have no more work."""

    def __attrs_post_init__(self) -> None:
        self.left = deque(range(len(self.items)))

    def run(self, count: int) -> list[Any]:
        """Let at most `count` children do the work, and return all results."""
        try:
            self._begin(count)
            while self.busy:
                ready = readable([child for child, _number in self.busy])
                for child, number in [one for one in self.busy if one[0] in ready]:
                    self.busy.remove((child, number))
                    self._hear(child, number)
            if self.left:
                raise ProcessesDied(
                    "All processes that did the work have died, probably because there was not "
                    "enough memory. Close other programs, or ask for less at once."
                )
        finally:
            for child in (*self.idle, *(child for child, _number in self.busy)):
                child.end()
        return [self.results[number] for number in range(len(self.items))]

    def _begin(self, count: int) -> None:
        for _child in range(count):
            try:
                child = started(_answer, self.work)
            except OSError:
                if not self.busy:
                    raise
                return
            self._give(child)

    def _give(self, child: Child) -> None:
        """Give the next item to a free child, or note the child as idle if no item is left."""
        if not self.left:
            self.idle.append(child)
            return
        number = self.left.popleft()
        self.busy.append((child, number))
        child.send(self.items[number])  # if the child has died, `run` finds its pipe closed

    def _hear(self, child: Child, number: int) -> None:
        """Receive a child's answer about its item.

        A child that has died sends no answer; then another child does the item, if one is free.
        """
        try:
            result, error = child.pipe.recv()
        except (EOFError, OSError):
            child.end()
            self.left.append(number)
            if self.idle:
                self._give(self.idle.pop())
            return
        if error is not None:
            child.end()
            raise error
        self.results[number] = result
        self._give(child)
        self.on_done(len(self.results))


def _answer(pipe: Connection, work: Callable[[Any], Any]) -> None:
    """Send back the result of each item, or the error of its work; this runs in the child."""
    while True:
        item = pipe.recv()
        answer: tuple[Any, Exception | None]
        try:
            answer = (work(item), None)
        except Exception as error:
            error.add_note(format_exc())
            answer = (None, error)
        try:
            pipe.send(answer)
        except (PicklingError, AttributeError, TypeError) as error:
            # Without an answer the program would take the child for dead, and let the next child
            # do the item and fail in the same way.
            pipe.send((None, RuntimeError(f"{answer!r} cannot be sent: {error}")))
