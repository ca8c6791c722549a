"""The bench of the engine measures every game."""

from itertools import count

import pytest

from engine.games import GAMES
from tests.bench import engine as bench_engine
from tests.bench.engine import BIG_HAND, run


def test_engine_bench_measures_every_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each reading of the clock is two seconds later, so each measurement gives two seconds."""
    monkeypatch.setattr("time.process_time", count(0, 2).__next__)
    benches = run(rounds=1, hands=1)
    assert [(bench["game"], bench["players"]) for bench in benches] == [
        (game.name, players)
        for game in GAMES.values()
        for players in sorted({game.usual_players, game.players[-1]})
    ]
    for bench in benches:
        assert bench["rounds_per_second"] == 0.5
        assert bench["positions_per_second"] == bench["positions"] / 2 > 5
        assert bench["big_hand_ms"] == bench["big_hand_worst_ms"] == 2000
        assert bench["big_hand_most_moves"] > 20


def test_big_hand_belongs_to_the_seat_to_move() -> None:
    for game in GAMES.values():
        position = bench_engine._big_hand(game, 3)
        seat = position.turn.seat
        assert len(position.hand(seat)) == BIG_HAND
        assert position.to_move == seat
