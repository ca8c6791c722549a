"""Perft: the number of lines of play from fixed positions, at each depth.

A change of the rules or of `legal_moves` shows here, with everything else that it changes.
"""

from typing import Any

import pytest

from engine.dealer import PlainDealer
from engine.position import Position
from engine.turn import Step
from tests.engine.kanastic.tables import dealt, kanastic_table
from tests.engine.positions import Table

_MIXED_DEAL = "7h 7d 7c Ah Ad Ac Kh Kd Sw 9h 9d Th Qc Sh 4d 5d 6d 8d Jd Qd Ks As 4s 5s 6s 7s 8s 9s"


def perft(table: Table, depth: int) -> int:
    """Return the number of lines of `depth` moves."""
    dealer = PlainDealer(lambda _: None, dict(table.cards))

    def lines(position: Position, left: int) -> int:
        seat = position.to_move
        if seat is None:
            return 0
        moves = dealer.view(position, seat).legal_moves(seat)
        if left == 1:
            return len(moves)
        return sum(lines(dealer.fulfil(position.apply(move)), left - 1) for move in moves)

    return lines(table.position, depth)


@pytest.mark.parametrize(
    ("seats", "counts"),
    [
        (2, [1, 1, 15, 15, 240, 405, 3555]),
        (3, [1, 1, 1, 15, 15, 225, 240, 3570]),
        (4, [1, 1, 1, 1, 15, 15, 240, 283]),
    ],
)
def test_perft_from_the_deal(seats: int, counts: list[int]) -> None:
    table = dealt(seats, _MIXED_DEAL)
    assert [perft(table, depth + 1) for depth in range(len(counts))] == counts


_TURN: dict[str, Any] = {
    "hands": [
        "7g 8g 9g Ar Ah Ad Kh Kd 4h",
        "Qh Qd Qc Ks Sw 5h",
        "Kc As 6h 6d 6c Sh",
        "Th Td Tc Ts Sw 5d",
    ],
    "melds": [["7h 7d 7c 7s"], []],
    "pile": "4c 4d Ac",
    "step": Step.DRAW,
}


@pytest.mark.parametrize(
    ("more", "counts"),
    [
        ({}, [2, 32, 128, 411, 1443]),
        ({"totals": [0, 3000]}, [2, 32, 128, 394, 1297]),
        ({"stock": "Po 9h"}, [1, 1, 17, 69, 225, 811]),
    ],
)
def test_perft_in_the_middle(more: dict[str, Any], counts: list[int]) -> None:
    table = kanastic_table(**{**_TURN, **more})
    assert [perft(table, depth + 1) for depth in range(len(counts))] == counts
