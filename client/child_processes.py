"""Processes that work for this one, each at a pipe of its own.

They are spawned, which is the same on all systems and shares nothing by accident. Each ends with
its pipe, so none outlives the program, however that ends. Ctrl-C is for the program, not for them,
and they write nothing on its terminal: what goes wrong in one comes through the pipe, or ends it.
"""

import os
import signal
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from traceback import format_exc
from typing import Any, TypeVar

from attrs import define, field, frozen

from protocol.errors import LocalError

T = TypeVar("T")
V = TypeVar("V")

_STANDARD_ERROR = 2


class ProcessesDied(LocalError):
    """All processes that were to do some work have ended before it was done."""


@frozen
class Child:
    """A process, and our end of its pipe."""

    process: BaseProcess
    pipe: Connection

    def send(self, what: object) -> bool:
        """Whether it could be sent: not to a process that has ended."""
        with suppress(OSError):
            self.pipe.send(what)
            return True
        return False

    def end(self) -> None:
        self.pipe.close()
        self.process.terminate()
        self.process.join()


def started(serve: Callable[..., None], *arguments: object) -> Child:
    """A process that runs `serve`, a function of a module, with its end of a pipe before the
    arguments. Raises OSError if the system gives none.
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
    """Those of the children that have sent something, or have ended, as soon as there are any; none
    after so many seconds.
    """
    ready = wait([child.pipe for child in children], seconds)
    return [child for child in children if child.pipe in ready]


def _serve(serve: Callable[..., None], pipe: Connection, *arguments: object) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(EOFError, OSError):
        serve(pipe, *arguments)


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """What is begun here inherits that Ctrl-C is none of its business, where systems have that."""
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
    """What is begun here has a standard error that leads nowhere: Python tells there, in many
    lines, of a process that does not come as far as to answer.
    """
    try:
        kept = os.dup(_STANDARD_ERROR)
    except OSError:  # there is none
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


# -- much work, shared among them


def on_all_cores(
    work: Callable[[V], T],
    items: Sequence[V],
    *,
    done: Callable[[int], None] = lambda _count: None,
    most: int | None = None,
) -> list[T]:
    """What `work`, a function of a module, makes of each item, in the order of the items: on all
    cores, or in so many processes at `most`. `done` is told of how many. Where one suffices, no
    other process is begun; where the system gives fewer, or some die, the others do their work.

    Raises what `work` raises, OSError where no process is to be had, and ProcessesDied.
    """
    count = min(len(items), most or os.cpu_count() or 1)
    if count > 1:
        return _Crew(work, items, done).run(count)
    results = []
    for item in items:
        results.append(work(item))
        done(len(results))
    return results


@define
class _Crew:
    """Children that take one item after the other. `left` has the numbers of those that nobody has
    taken, `busy` that of each child, and `idle` the children for whom none is left.
    """

    work: Callable[[Any], Any]
    items: Sequence[Any]
    done: Callable[[int], None]
    left: deque[int] = field(init=False)
    results: dict[int, Any] = field(factory=dict, init=False)
    busy: list[tuple[Child, int]] = field(factory=list, init=False)
    idle: list[Child] = field(factory=list, init=False)

    def __attrs_post_init__(self) -> None:
        self.left = deque(range(len(self.items)))

    def run(self, count: int) -> list[Any]:
        """All results, of so many children at most."""
        try:
            self._begin(count)
            while self.busy:
                ready = readable([child for child, _number in self.busy])
                for child, number in [one for one in self.busy if one[0] in ready]:
                    self.busy.remove((child, number))
                    self._hear(child, number)
            if self.left:
                raise ProcessesDied(
                    "The processes that were to do it have died, as they do where there is not "
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
        """The next item, if there is one, to a child that has nothing to do."""
        if not self.left:
            self.idle.append(child)
            return
        number = self.left.popleft()
        self.busy.append((child, number))
        child.send(self.items[number])  # one that has ended is heard of

    def _hear(self, child: Child, number: int) -> None:
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
        self.done(len(self.results))


def _answer(pipe: Connection, work: Callable[[Any], Any]) -> None:
    """In the child: what comes of each item, or the error that it ends in."""
    while True:
        item = pipe.recv()
        answer: tuple[Any, Exception | None]
        try:
            answer = (work(item), None)
        except Exception as error:
            error.add_note(format_exc())
            answer = (None, error)
        pipe.send(answer)
