"""Counts of move sequences from fixed deals: a change of the rules shows in them."""

import pytest

from engine.games import GAMES
from tests.engine.perft import dealt, perft

CANASTRA = GAMES["canastra"]


@pytest.mark.parametrize(
    ("seed", "moves", "counts"),
    [
        (1, 0, [1, 11, 22, 639, 5798]),
        (2, 0, [1, 18, 81, 525, 3697]),
        (1, 30, [8, 16, 112, 240]),
        (3, 90, [6, 12, 158, 374]),
        (4, 150, [6, 15, 125, 345]),
        (7, 240, [2, 9, 18, 168, 366]),
    ],
)
def test_perft(seed: int, moves: int, counts: list[int]) -> None:
    position, dealer = dealt(CANASTRA, 2, seed, moves)
    found = [perft(position, dealer, depth) for depth in range(1, len(counts) + 1)]
    assert found == counts
