"""The bench of a table: real processes play, and links have the given delay."""

import sys

import pytest
import trio
from trio.testing import MockClock, memory_stream_pair

from tests.bench import table
from tests.bench.delayed_stream import DelayedStream
from tests.bench.table import nine_of_ten, run


def test_a_table_of_processes_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "_CARDS", 10)  # shuffled again after the game, for comparison
    (bench,) = run(players=2, delay=5, turns=4, seed=1, rest=20)
    assert bench["draw_p90_ms"] >= bench["draw_ms"] > 2 * 5  # the draw and the answer to it
    assert bench["dealt_ms"] > bench["cut_ms"] > 2 * 5
    assert bench["discard_ms"] > 5
    assert min(bench["drawn_ms"], bench["screen_ms"], bench["locks_and_proofs_alone_ms"]) > 0
    memory, share = bench["most_memory_mb"], bench["most_memory_share_mb"]
    assert sys.platform != "linux" or (30 < memory < 200 and 10 < share < memory)


def test_ninetieth_percentile_is_at_most_the_largest_value() -> None:
    for values, percentile in (([1, 2, 3, 10], 7.9), ([3, 3, 3], 3), ([5], 5)):
        assert nine_of_ten(values) == pytest.approx(percentile)


async def test_delayed_stream_delays_data_by_the_delay_of_the_link(
    autojump_clock: MockClock,
) -> None:
    near, far = memory_stream_pair()
    slow = DelayedStream(near, 0.5)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(slow.run)
        start = trio.current_time()
        await slow.send_all(b"one")
        await slow.send_all(b"two")
        assert trio.current_time() == start
        assert await far.receive_some() == b"one"
        assert await far.receive_some() == b"two"
        assert trio.current_time() == start + 0.5
        await far.send_all(b"three")
        assert await slow.receive_some(2) == b"th"
        assert await slow.receive_some() == b"ree"
        assert trio.current_time() == start + 1
        await slow.aclose()
        assert await far.receive_some() == b""
        await far.aclose()
        assert await slow.receive_some() == b""
        assert await slow.receive_some() == b""
