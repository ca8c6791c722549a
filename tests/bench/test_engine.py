"""The bench of the engine measures every game and reports it."""

import json
import random
from itertools import count

import pytest

from engine.games import GAMES
from tests.bench import engine as bench_engine
from tests.bench.engine import BIG_HAND, as_json, render, run


def test_every_game_is_measured() -> None:
    benches = run(rounds=1, hands=1)
    measured = [(bench.game, bench.players) for bench in benches]
    assert measured == [
        (game.name, players)
        for game in GAMES.values()
        for players in sorted({game.usual_players, game.players[-1]})
    ]
    assert {("canasta", 4), ("canasta", 6), ("canastra", 2)} <= set(measured)
    report = json.loads(as_json(benches))
    for bench, told in zip(benches, report, strict=True):
        assert (told["game"], told["players"]) == (bench.game, bench.players)
        assert bench.positions > 10
        assert bench.positions_per_second == pytest.approx(
            bench.positions * bench.rounds_per_second, rel=0.01
        )
        assert bench.big_hand_worst_ms >= bench.big_hand_ms > 0
        assert bench.big_hand_moves > 20
        assert set(bench.evaluated_per_second) == {"middle", "strong", "patient"}
        assert all(rate > 10 for rate in bench.evaluated_per_second.values())
        assert f"{bench.game}, {bench.players} players, rounds played: 1" in render(benches)


def test_figures_come_from_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each reading is two seconds later than the one before."""
    monkeypatch.setattr("time.process_time", count(0, 2).__next__)
    for bench in run(rounds=1, hands=1):
        assert bench.rounds_per_second == 0.5
        assert bench.positions_per_second == bench.positions / 2
        assert bench.big_hand_ms == bench.big_hand_worst_ms == 2000


def test_a_big_hand_is_big() -> None:
    for game in GAMES.values():
        position = bench_engine._big_hand(game, random.Random(3))
        seat = position.turn.seat
        assert len(position.hand(seat)) == BIG_HAND
        assert position.to_move == seat
