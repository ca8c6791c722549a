"""Threads for shuffles, which lock, prove and verify decks on all cores."""

import threading
from concurrent.futures import ThreadPoolExecutor
from unittest.mock import Mock, call

import pytest

from p2p.shuffle_threads import meanwhile, on_all_cores, on_half_the_cores, prepare
from protocol.shuffle_proof import generators
from tests.patience import PATIENCE

pytestmark = pytest.mark.usefixtures("autojump_clock")


def square(number: int) -> tuple[int, int]:
    return number * number, threading.get_ident()


@pytest.mark.parametrize(
    ("number", "all_cores", "half"),
    [(None, 0, 0), (1, 0, 0), (2, 2, 0), (3, 3, 0), (4, 4, 2), (9, 6, 4), (99, 6, 6)],
)
def test_there_are_at_most_as_many_threads_as_cores_and_items(
    monkeypatch: pytest.MonkeyPatch, number: int, all_cores: int, half: int
) -> None:
    """Six items are computed, and their results come in order.

    `number` is the number of cores. With 0 threads the caller computes everything.
    """
    pools = Mock(side_effect=ThreadPoolExecutor)
    monkeypatch.setattr("p2p.shuffle_threads.ThreadPoolExecutor", pools)
    monkeypatch.setattr("os.cpu_count", lambda: number)
    for compute, threads in ((on_all_cores, all_cores), (on_half_the_cores, half)):
        results = compute(square, range(6))
        assert [result for result, _thread in results] == [0, 1, 4, 9, 16, 25]
        used = {thread for _result, thread in results}
        assert (used == {threading.get_ident()}) == (threads == 0)
        assert pools.call_args_list == [call(threads)] * bool(threads)
        pools.reset_mock()
        assert compute(square, []) == []


@pytest.mark.parametrize("given", [0, 1])
def test_the_caller_computes_if_a_thread_cannot_start(
    monkeypatch: pytest.MonkeyPatch, given: int
) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 3)
    start, started = threading.Thread.start, list[threading.Thread]()

    # The system starts `given` threads, and refuses the next one.
    def refused(thread: threading.Thread) -> None:
        if len(started) == given:
            raise RuntimeError("can't start new thread")
        started.append(thread)
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", refused)
    assert on_all_cores(str, range(3)) == ["0", "1", "2"]
    assert not any(thread.is_alive() for thread in started)


@pytest.mark.parametrize("number", [1, 2, 3])
def test_an_error_of_the_computation_is_raised_to_the_caller(
    monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: number)
    with pytest.raises(ZeroDivisionError):
        on_all_cores(lambda number: 1 // number, [1, 0])


def test_the_points_for_shuffles_are_derived_in_the_lobby() -> None:
    """In the lobby nobody waits for them yet."""
    generators.cache_clear()
    prepare(4)
    assert generators.cache_info().currsize == 1
    assert len(generators(4)) == 5
    assert generators.cache_info().currsize == 1


def test_the_work_of_meanwhile_runs_beside_the_block_and_ends_with_it() -> None:
    go_on, done = threading.Event(), list[int]()

    def work() -> None:
        go_on.wait(PATIENCE)
        done.append(threading.get_ident())

    with meanwhile(work):
        assert done == []
        go_on.set()
    assert len(done) == 1
    assert done != [threading.get_ident()]


def test_meanwhile_drops_work_that_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[int] = []
    with meanwhile(lambda: 1 // 0):
        done.append(1)
    refused = Mock(side_effect=RuntimeError("can't start new thread"))
    monkeypatch.setattr(threading.Thread, "start", refused)
    with meanwhile(lambda: done.append(2)):
        done.append(3)
    assert done == [1, 3]
