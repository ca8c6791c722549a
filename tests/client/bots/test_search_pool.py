"""The pool of searching processes. Stand-ins for the processes give the answers a test sets."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from types import SimpleNamespace
from typing import Any, cast

import pytest
from attrs import define, evolve, field

from client.bots import search_processes
from client.bots.search import GainTally, candidates
from client.bots.search_processes import GainTallies, SearchProcesses, Task
from client.child_processes import Child
from engine.moves import Move
from tests.client.bots.hidden_cards import seen_by_0
from tests.client.bots.thick_piles import EVALUATOR, guarded

TABLE = guarded()
VIEW = seen_by_0(TABLE)
TASK = Task("canasta", VIEW, candidates(VIEW, EVALUATOR, TABLE.discard("9d")), 5.0, "seed")
FIRST, SECOND = (one.move for one in TASK.candidates[:2])


@define(eq=False)
class Fake:
    """A stand-in for a process, which replies at once, whatever it is sent."""

    answers: list[Any]
    """Replies in their order: None closes the pipe, and "refused" makes the sending fail."""
    alive: bool = True
    got: list[Any] = field(factory=list)
    theirs: Connection = field(init=False)

    def child(self) -> Child:
        ours, self.theirs = Pipe()
        fake = self

        class Answering(Child):
            """A child process that puts its answer into the pipe as soon as it is asked."""

            def send(self, what: object) -> bool:
                fake.got.append(what)
                if not fake.answers:
                    return True
                if (answer := fake.answers.pop(0)) is None:
                    fake.theirs.close()
                elif answer == "refused":
                    return False
                else:
                    fake.theirs.send(answer)
                return True

        return Answering(cast(BaseProcess, self), ours)

    def is_alive(self) -> bool:
        return self.alive

    def terminate(self) -> None:
        self.alive = False

    def join(self) -> None:
        assert not self.alive


def tallies(**worlds: int) -> GainTallies:
    moves: dict[str, Move] = {"first": FIRST, "second": SECOND}
    return {moves[name]: GainTally(many, 2.0, 3.0) for name, many in worlds.items()}


def counting(checks: Iterator[int]) -> None:
    """Count a call: `next(checks)` then returns how many calls there were."""
    next(checks)


def running(processes: SearchProcesses) -> Any:
    return processes.processes


@pytest.fixture
def pool(monkeypatch: pytest.MonkeyPatch) -> Callable[..., SearchProcesses]:
    """Return a function that makes a pool of given processes, which can start no others."""
    seconds = count()
    clock = SimpleNamespace(monotonic=lambda: float(next(seconds)))
    monkeypatch.setattr(search_processes, "time", clock)
    monkeypatch.setattr(search_processes, "_LOOK_UP", 0.0)

    def made(*fakes: Fake, most: int | None = None) -> SearchProcesses:
        left = list(fakes)

        def started(serve: object) -> Child:
            assert serve is search_processes.serve
            if not left:
                raise OSError("no more processes")
            return left.pop(0).child()

        monkeypatch.setattr(search_processes, "started", started)
        return SearchProcesses(len(fakes) if most is None else most)

    return made


def test_the_tallies_of_all_processes_are_added_up(pool: Callable[..., SearchProcesses]) -> None:
    one, other = Fake([tallies(first=3)]), Fake([tallies(first=4, second=5)])
    checks = count()
    found = pool(one, other).search(TASK, partial(counting, checks))
    assert found == {FIRST: GainTally(7, 4.0, 6.0), SECOND: GainTally(5, 2.0, 3.0)}
    assert one.got == [evolve(TASK, seed="seed 0")]
    assert other.got == [evolve(TASK, seed="seed 1")]
    assert next(checks) > 0


def test_processes_that_answer_too_late_are_ended(pool: Callable[..., SearchProcesses]) -> None:
    """Each look at the clock takes a second.

    The pool waits for the 5 seconds of the task and 30 more. Between the first look and the end of
    these 35 seconds there are 34 looks.
    """
    quick, silent = Fake([tallies(first=3)]), Fake([])
    processes, checks = pool(quick, silent), count()
    assert processes.search(TASK, partial(counting, checks)) == tallies(first=3)
    assert next(checks) == 34
    assert (quick.alive, silent.alive) == (True, False)
    assert running(processes) == (quick,)


def test_processes_that_end_are_dropped(pool: Callable[..., SearchProcesses]) -> None:
    ended, refusing, good = Fake([None]), Fake(["refused"]), Fake([tallies(second=1)])
    processes = pool(ended, refusing, good)
    assert processes.search(TASK, lambda: None) == tallies(second=1)
    assert running(processes) == (refusing, good)
    refusing.alive = False
    good.answers.append(tallies(first=1))
    assert processes.search(TASK, lambda: None) == tallies(first=1)
    assert running(processes) == (good,), "no process could be started in place of the others"
    assert len(refusing.got) == 1, "a dead process is not asked again"
    processes.close()
    assert not good.alive
    assert running(processes) == ()


def test_a_search_that_is_left_is_ended_in_all_processes(
    pool: Callable[..., SearchProcesses],
) -> None:
    class Left(Exception):
        """The error of somebody who leaves the table."""

    def leave() -> None:
        raise Left

    slow = [Fake([]), Fake([])]
    processes = pool(*slow)
    for one in slow:  # answers to the task, to the stop (None), and to the next task
        one.answers += [tallies(first=1), tallies(first=9), tallies(second=2)]
    with pytest.raises(Left):
        processes.search(TASK, leave)
    assert [one.got[1:] for one in slow] == [[None], [None]]
    assert running(processes) == tuple(slow)
    found = processes.search(TASK, lambda: None)
    assert found == {SECOND: GainTally(4, 4.0, 6.0)}, "the late answers are not counted"


def test_a_process_answers_each_task_and_ignores_a_stop_without_a_search() -> None:
    sent: list[Any] = []
    tasks = iter([None, evolve(TASK, seconds=0.0), None])
    pipe: Any = SimpleNamespace(recv=lambda: next(tasks), send=sent.append, poll=lambda: False)
    with pytest.raises(StopIteration):
        search_processes.serve(pipe)
    assert sent == [{one.move: GainTally() for one in TASK.candidates[1:]}]
