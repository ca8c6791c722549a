"""Counts of move sequences from fixed deals: a change of the rules shows in them."""

import pytest

from engine.games import GAMES
from tests.engine.perft import dealt, perft

CANASTA = GAMES["canasta"]


@pytest.mark.parametrize(
    ("players", "seed", "moves", "counts"),
    [
        (2, 1, 0, [108, 108, 108, 188]),
        (2, 1, 40, [14, 46, 70, 240, 1571]),
        (2, 2, 115, [3, 4, 10, 16, 57, 72]),
        (3, 3, 60, [7, 11, 77, 132]),
        (4, 1, 5, [1, 20, 108, 526]),
        (4, 2, 60, [5, 8, 42, 71, 241]),
        (4, 7, 90, [1, 3, 5, 30, 122]),
        (5, 4, 50, [2, 19]),
        (6, 5, 60, [1, 12, 14, 170]),
    ],
)
def test_there_are_as_many_positions_as_there_were(
    players: int, seed: int, moves: int, counts: list[int]
) -> None:
    position, dealer = dealt(CANASTA, players, seed, moves)
    found = [perft(position, dealer, depth) for depth in range(1, len(counts) + 1)]
    assert found == counts
