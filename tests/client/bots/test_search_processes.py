"""Processes that search: they work together, stop in time, and end with the program."""

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from types import SimpleNamespace
from typing import Any

import pytest
from attrs import evolve

from client.bots.search import candidates
from client.bots.search_processes import SearchProcesses, Task, _searched
from tests.client.bots.hidden_cards import seen_by_0
from tests.client.bots.thick_piles import EVALUATOR, guarded

FOR_EVER = 600.0


@pytest.fixture(scope="module")
def searchers() -> Iterator[SearchProcesses]:
    made = SearchProcesses(2)
    yield made
    made.close()


def task(seconds: float) -> Task:
    table = guarded()
    view = seen_by_0(table)
    return Task("canasta", view, candidates(view, EVALUATOR, table.discard("9d")), seconds, "seed")


class Stopped(Exception):
    """The error that the table raises when it is left."""


def nothing() -> None:
    """Do nothing, so that nothing interrupts the search."""


def stop() -> None:
    raise Stopped


def test_a_task_ends_after_its_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each look at the clock comes a second after the one before.

    The first look, at 0, sets the end. Four come before the end. The sixth, at 5, stops the search.
    """
    seconds = count()
    clock = SimpleNamespace(monotonic=lambda: float(next(seconds)))
    monkeypatch.setattr("client.bots.search_processes.time", clock)
    pipe: Any = SimpleNamespace(poll=lambda: False)
    assert _searched(task(5.0), pipe)
    assert next(seconds) == 6


def test_processes_search_together_with_different_seeds(searchers: SearchProcesses) -> None:
    clear = evolve(task(FOR_EVER), candidates=task(FOR_EVER).candidates[:2])
    found = searchers.search(clear, nothing)
    assert len(searchers.processes) == 2
    assert all(tally.worlds >= 2 for tally in found.values())
    best = max(found.values(), key=lambda tally: tally.worlds)
    # Both sides are equal only if all worlds give the same gain, as equal worlds do.
    assert best.squares * best.worlds > best.gain**2, "both processes have searched the same worlds"


def test_leaving_the_table_ends_the_search_at_once(searchers: SearchProcesses) -> None:
    searchers.search(task(0.01), nothing)
    before = searchers.processes
    with pytest.raises(Stopped):
        searchers.search(task(FOR_EVER), stop)
    assert searchers.processes == before, "processes have been replaced"
    assert searchers.search(task(0.01), nothing)


def test_a_dead_process_is_replaced_and_the_others_answer(searchers: SearchProcesses) -> None:
    searchers.search(task(0.01), nothing)
    first = searchers.processes[0]
    first.kill()
    first.join()
    assert searchers.search(task(0.05), nothing)
    assert len(searchers.processes) == 2
    assert first not in searchers.processes


def test_a_search_finds_nothing_if_all_processes_die(searchers: SearchProcesses) -> None:
    def kill_all() -> None:
        for process in searchers.processes:
            with suppress(ValueError):
                process.kill()

    assert searchers.search(task(FOR_EVER), kill_all) == {}
    assert searchers.search(task(0.01), nothing), "the next search has found nothing, either"


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="needs signals of POSIX")
def test_search_processes_ignore_ctrl_c(searchers: SearchProcesses) -> None:
    searchers.search(task(0.01), nothing)
    for process in searchers.processes:
        assert process.pid is not None
        os.kill(process.pid, signal.SIGINT)
    before = searchers.processes
    assert searchers.search(task(0.01), nothing)
    assert searchers.processes == before


def test_a_searching_process_ends_when_its_pipe_is_closed(searchers: SearchProcesses) -> None:
    """A program that is killed cannot send its processes a last message."""
    searchers.search(task(0.01), nothing)
    ends = [(searcher.pipe, searcher.process) for searcher in searchers._running]
    for pipe, process in ends:
        pipe.send(task(FOR_EVER))
        pipe.close()
        process.join(30)
        assert process.exitcode == 0
    searchers._running.clear()
