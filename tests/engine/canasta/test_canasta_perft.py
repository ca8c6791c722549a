"""Counts of move sequences from fixed deals: a change of the rules shows in them."""

import pytest

from engine.games import GAMES
from tests.engine.perft import dealt, perft

CANASTA = GAMES["canasta"]


@pytest.mark.parametrize(
    ("players", "seed", "moves", "counts"),
    [
        (2, 1, 0, [108, 108, 108, 188]),
        (2, 1, 40, [6, 10, 34, 62, 84]),
        (2, 2, 120, [6, 9, 12, 18, 42, 66]),
        (3, 3, 60, [11, 20, 127, 243]),
        (4, 1, 5, [1, 20, 108, 526]),
        (4, 2, 70, [6, 11, 31, 59, 149]),
        (4, 7, 90, [1, 12, 48, 185, 600]),
        (5, 4, 50, [33, 375]),
        (6, 5, 60, [9, 13, 33, 58]),
    ],
)
def test_perft(players: int, seed: int, moves: int, counts: list[int]) -> None:
    position, dealer = dealt(CANASTA, players, seed, moves)
    found = [perft(position, dealer, depth) for depth in range(1, len(counts) + 1)]
    assert found == counts
