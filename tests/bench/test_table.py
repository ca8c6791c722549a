"""The bench of a table: real processes play, and links have the given delay."""

import sys

import pytest
import trio
from trio.testing import MockClock, memory_stream_pair

from tests.bench import table
from tests.bench.delayed_stream import DelayedStream
from tests.bench.table import render, run


def test_a_table_of_processes_is_measured() -> None:
    bench = run(players=2, delay=5, turns=4, seed=1, rest=20)
    assert bench.draw_p90_ms >= bench.draw_ms > 2 * 5  # the draw and the answer to it
    assert bench.drawn_ms > 0
    assert bench.discard_ms > 5
    assert bench.dealt_ms > bench.cut_ms > 2 * 5
    assert bench.bare_ms > 0
    assert bench.cut_bare_ratio == pytest.approx(bench.cut_ms / bench.bare_ms, abs=0.01)
    assert bench.screen_ms > 0
    assert sys.platform != "linux" or 30 < bench.memory_mb < 200
    assert sys.platform != "linux" or 10 < bench.memory_share_mb < bench.memory_mb
    assert "2 players, 5 ms a link, 4 turns, 20 ms of rest before each key" in render(bench)


def test_ninetieth_percentile_is_at_most_the_largest_value() -> None:
    assert table._nine_of_ten([1, 2, 3, 10]) == pytest.approx(7.9)
    assert table._nine_of_ten([3, 3, 3]) == 3
    assert table._nine_of_ten([5]) == 5


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
