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
        (1, 30, [2, 19, 38, 298]),
        (3, 90, [2, 13, 26, 302]),
        (4, 150, [3, 6, 45, 99]),
        (7, 240, [2, 15, 30, 310, 687]),
    ],
)
def test_there_are_as_many_positions_as_there_were(
    seed: int, moves: int, counts: list[int]
) -> None:
    position, dealer = dealt(CANASTRA, 2, seed, moves)
    found = [perft(position, dealer, depth) for depth in range(1, len(counts) + 1)]
    assert found == counts
