"""Decks are locked, proven and verified on all cores, and on one where there is no more."""

import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from p2p.shuffle_threads import on_all_cores, on_half_the_cores
from tests.p2p.machines import Machines


@pytest.fixture(params=[1, 2, 3])
def cores(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    number: int = request.param
    monkeypatch.setattr("os.cpu_count", lambda: number)
    return number


def test_results_come_in_the_order_of_the_items_from_as_many_threads_as_cores(cores: int) -> None:
    together = threading.Barrier(cores)

    def square(number: int) -> tuple[int, int]:
        together.wait(120)  # no thread goes on before the others have an item too
        return number * number, threading.get_ident()

    results = on_all_cores(square, range(cores))
    assert [result for result, _thread in results] == [number**2 for number in range(cores)]
    threads = {thread for _result, thread in results}
    assert len(threads) == cores
    assert (threading.get_ident() in threads) == (cores == 1)


@pytest.mark.parametrize(("number", "count"), [(1, 0), (2, 0), (3, 0), (4, 2), (9, 4)])
def test_half_the_cores_are_as_many_threads_besides_or_the_callers_alone(
    monkeypatch: pytest.MonkeyPatch, number: int, count: int
) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: number)
    together = threading.Barrier(max(1, count))

    def thread(_item: int) -> int:
        together.wait(120)
        return threading.get_ident()

    used = set(on_half_the_cores(thread, range(max(1, count))))
    assert len(used - {own := threading.get_ident()}) == count
    assert (own in used) == (count == 0)


def test_no_thread_is_left_behind(cores: int) -> None:
    before = threading.active_count()
    on_all_cores(str, range(cores))
    assert threading.active_count() == before


@pytest.mark.parametrize("given", [0, 1])
def test_without_more_threads_the_caller_does_it(
    monkeypatch: pytest.MonkeyPatch, given: int
) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 3)
    start, started = threading.Thread.start, list[threading.Thread]()

    def refused(thread: threading.Thread) -> None:
        if len(started) == given:
            raise RuntimeError("can't start new thread")
        started.append(thread)
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", refused)
    assert on_all_cores(str, range(3)) == ["0", "1", "2"]
    assert not any(thread.is_alive() for thread in started)


def test_an_error_of_the_computation_is_the_callers(cores: int) -> None:
    with pytest.raises(ZeroDivisionError):
        on_all_cores(lambda number: 1 // number, [1, 0])


@pytest.mark.usefixtures("on_memory")
async def test_each_deck_at_a_table_is_locked_proven_and_verified_by_it(
    tmp_path: Path, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On half the cores where somebody shuffles on meanwhile."""
    of = Counter[tuple[str, str, str]]()

    def noting(module: str, cores: str) -> Callable[..., list[Any]]:
        def noted(function: Callable[[Any], Any], slices: list[Any]) -> list[Any]:
            of[module, cores, function.__name__] += 1
            return on_all_cores(function, slices)

        return noted

    for module in ("judging", "own_player"):
        for cores in ("on_all_cores", "on_half_the_cores"):
            monkeypatch.setattr(f"p2p.table.{module}.{cores}", noting(module, cores))
    machines = Machines.make(2, tmp_path)
    await machines.sit_down("canasta")
    for machine in machines.all:
        machine.pause = lambda _view: trio.sleep_forever()  # nobody makes a move
    await machines.play(until=3)
    shuffles = sum(body.content.kind == "shuffle" for body in machines.all[0].bodies())
    assert shuffles % 2 == 0
    for cores in ("on_all_cores", "on_half_the_cores"):  # who begins, and who follows
        assert of["own_player", cores, "of_slice"] == shuffles // 2 * 3  # the deck, c and d
        assert of["own_player", cores, "_sum_slice"] == shuffles // 2 * 2  # T_commit, T_map
        assert of["judging", cores, "_sum_slice"] == shuffles // 2  # by the other one
