"""The processes in which a level searches on all cores.

The processes are started when a level first needs them (`client.child_processes`). Each process
waits for tasks at a pipe, and ends when the pipe closes, even in the middle of a search.
"""

import os
import random
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from threading import Lock

from attrs import define, evolve, field, frozen

from client.bots.evaluator_registry import evaluator_of
from client.bots.search import GainTally, Search, TriedMove
from client.bots.weights import Tuning
from client.child_processes import Child, readable, started
from engine.games import game_named
from engine.moves import Move
from engine.position import Position

_LOOK_UP = 0.1  # seconds between two calls of `check` while the program waits
_LATE = 30.0  # seconds to wait after the end of the search: a process may still be starting

GainTallies = Mapping[Move, GainTally]


@frozen
class Task:
    """A search to carry out; the pool gives each process a copy with a seed of its own."""

    game: str
    view: Position
    candidates: tuple[TriedMove, ...]
    seconds: float
    seed: str


@define
class SearchProcesses:
    """A pool of processes that carry out one search after the other.

    The processes are started when they are first needed. If the system cannot start `count`
    processes, the pool has fewer.
    """

    count: int
    _running: list[Child] = field(factory=list, init=False)
    _lock: Lock = field(factory=Lock, init=False)

    @property
    def processes(self) -> tuple[BaseProcess, ...]:
        """The running processes."""
        return tuple(searcher.process for searcher in self._running)

    def search(self, task: Task, check: Callable[[], None]) -> dict[Move, GainTally]:
        """Search in all processes, and return their tallies added up; {} if all have died.

        Raises whatever `check` raises, once the processes have ended their search.
        """
        with self._lock:
            self._begin()
            # With equal seeds all processes would play in the same worlds.
            tasks = [evolve(task, seed=f"{task.seed} {n}") for n in range(len(self._running))]
            pairs = list(zip(self._running, tasks, strict=True))
            asked = [searcher for searcher, own in pairs if searcher.send(own)]
            try:
                found = self._heard(asked, task.seconds, check)
            except BaseException:
                # Each process ends its search and still sends its tallies. They are read and
                # dropped, or the next search would take them for its own.
                self._heard([one for one in asked if one.send(None)], 0.0, lambda: None)
                raise
        total: dict[Move, GainTally] = {}
        for tallies in found:
            for move, tally in tallies.items():
                total.setdefault(move, GainTally()).add(tally)
        return total

    def close(self) -> None:
        """End all processes."""
        with self._lock:
            self._drop(list(self._running))

    def _begin(self) -> None:
        self._drop([searcher for searcher in self._running if not searcher.process.is_alive()])
        with suppress(OSError):
            while len(self._running) < self.count:
                self._running.append(started(serve))

    def _heard(
        self, asked: list[Child], seconds: float, check: Callable[[], None]
    ) -> list[GainTallies]:
        """Return the results of the processes; end those that have died or are far too late."""
        end = time.monotonic() + seconds + _LATE
        silent = list(asked)
        found: list[GainTallies] = []
        while silent and time.monotonic() < end:
            for searcher in readable(silent, _LOOK_UP):
                silent.remove(searcher)
                try:
                    found.append(searcher.pipe.recv())
                except (EOFError, OSError):
                    self._drop([searcher])
            check()
        self._drop(silent)
        return found

    def _drop(self, searchers: list[Child]) -> None:
        for searcher in searchers:
            self._running.remove(searcher)
            searcher.end()


ALL_CORES = SearchProcesses(os.cpu_count() or 1)
"""The pool that all opponents of this program share; mostly only one opponent is to move."""


# -- in the process itself


def serve(pipe: Connection) -> None:
    """Carry out each task that comes through the pipe; None ends only the current search."""
    while True:
        task = pipe.recv()
        if task is not None:
            pipe.send(_searched(task, pipe))


def _searched(task: Task, pipe: Connection) -> GainTallies:
    end = time.monotonic() + task.seconds
    evaluator = evaluator_of(game_named(task.game), Tuning.LEARNT)
    search = Search(task.view, evaluator, random.Random(task.seed), task.candidates)
    # During a search the pipe brings only None, or is closed because the program ends. Either
    # stops the search.
    search.run(lambda _played: time.monotonic() < end and not pipe.poll())
    return search.tallies
