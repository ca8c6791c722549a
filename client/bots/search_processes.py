"""Processes that search for a level which may use all cores.

They are spawned, which is the same on all systems, when a level first asks for them. Each waits for
tasks at a pipe and ends with it, also in the middle of a search: so none outlives the program,
however that ends. Ctrl-C is for the program, not for them.
"""

import multiprocessing
import os
import random
import signal
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from threading import Lock

from attrs import define, evolve, field, frozen

from client.bots.judges import judge_of
from client.bots.search import Candidate, Search, Tally
from client.bots.weights import Tuning
from engine.games import game_named
from engine.moves import Move
from engine.position import Position

_LOOK_UP = 0.1  # seconds after which a program that waits looks up
_LATE = 30.0  # seconds after its time for which a process is waited for: it may still be starting

Tallies = Mapping[Move, Tally]


@frozen
class Task:
    """What to search for, and for how long; each process makes a seed of its own of `seed`."""

    game: str
    view: Position
    candidates: tuple[Candidate, ...]
    seconds: float
    seed: str


@frozen
class _SearchProcess:
    process: BaseProcess
    pipe: Connection


@define
class SearchProcesses:
    """So many processes, begun when they are first needed. One search after the other."""

    count: int
    _running: list[_SearchProcess] = field(factory=list, init=False)
    _lock: Lock = field(factory=Lock, init=False)

    @property
    def processes(self) -> tuple[BaseProcess, ...]:
        return tuple(searcher.process for searcher in self._running)

    def search(self, task: Task, check: Callable[[], None]) -> dict[Move, Tally]:
        """What all processes have found together; {} where all have died.

        Raises what `check` raises, when the processes have ended their search.
        """
        with self._lock:
            self._begin()
            tasks = [evolve(task, seed=f"{task.seed} {n}") for n in range(len(self._running))]
            pairs = list(zip(self._running, tasks, strict=True))
            asked = [searcher for searcher, own in pairs if _send(searcher, own)]
            try:
                found = self._heard(asked, task.seconds, check)
            except BaseException:
                self._heard([t for t in asked if _send(t, None)], 0.0, lambda: None)
                raise
        total: dict[Move, Tally] = {}
        for tallies in found:
            for move, tally in tallies.items():
                total.setdefault(move, Tally()).add(tally)
        return total

    def close(self) -> None:
        """End all processes."""
        with self._lock:
            self._drop(list(self._running))

    def _begin(self) -> None:
        self._drop([searcher for searcher in self._running if not searcher.process.is_alive()])
        with _interrupts_blocked():
            while len(self._running) < self.count:
                self._running.append(_started())

    def _heard(
        self, asked: list[_SearchProcess], seconds: float, check: Callable[[], None]
    ) -> list[Tallies]:
        """What those who were asked answer; who dies, or is far too late, is dropped."""
        end = time.monotonic() + seconds + _LATE
        silent = {searcher.pipe: searcher for searcher in asked}
        found: list[Tallies] = []
        while silent and time.monotonic() < end:
            for pipe in wait(list(silent), _LOOK_UP):
                assert isinstance(pipe, Connection)
                searcher = silent.pop(pipe)
                try:
                    found.append(pipe.recv())
                except (EOFError, OSError):
                    self._drop([searcher])
            check()
        self._drop(list(silent.values()))
        return found

    def _drop(self, searchers: list[_SearchProcess]) -> None:
        for searcher in searchers:
            self._running.remove(searcher)
            searcher.pipe.close()
            searcher.process.terminate()
            searcher.process.join()


ALL_CORES = SearchProcesses(os.cpu_count() or 1)
"""Shared by all opponents of this program: mostly one of them is to move."""


def _send(searcher: _SearchProcess, task: Task | None) -> bool:
    with suppress(OSError):
        searcher.pipe.send(task)
        return True
    return False


def _started() -> _SearchProcess:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=serve, args=(theirs,), daemon=True)
    process.start()
    theirs.close()
    return _SearchProcess(process, ours)


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


# -- in the process itself


def serve(pipe: Connection) -> None:
    """Search whatever comes through the pipe until it ends. None ends a search, and only that."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(EOFError, OSError):
        while True:
            task = pipe.recv()
            if task is not None:
                pipe.send(_searched(task, pipe))


def _searched(task: Task, pipe: Connection) -> Tallies:
    end = time.monotonic() + task.seconds
    judge = judge_of(game_named(task.game), Tuning.LEARNT)
    search = Search(task.view, judge, random.Random(task.seed), task.candidates)
    search.run(lambda _played: time.monotonic() < end and not pipe.poll())
    return search.tallies
