"""Eager play, the level `easy`: which moves it prefers, and which it overlooks."""

import random

import pytest

from client.bots import eager
from engine.moves import DrawStock, LayMelds, Move, TakePile
from tests.engine.positions import table_of


class Always(random.Random):
    """A source of randomness that always gives the same number."""

    def __init__(self, number: float) -> None:
        super().__init__()
        self.number = number

    def random(self) -> float:
        return self.number


TAKE, LAY, DRAW = TakePile(()), LayMelds(()), DrawStock()


@pytest.mark.parametrize(
    ("number", "moves", "noticed"),
    [
        (0.0, (TAKE, DRAW), (DRAW,)),
        (0.59, (TAKE, DRAW), (DRAW,)),
        (0.6, (TAKE, DRAW), (TAKE, DRAW)),
        (0.49, (LAY, DRAW), (DRAW,)),
        (0.5, (LAY, DRAW), (LAY, DRAW)),
        (0.0, (TAKE,), (TAKE,)),
        (0.0, (TAKE, LAY, DRAW), (DRAW,)),
        (0.0, (DRAW,), (DRAW,)),
    ],
)
def test_the_level_easy_may_overlook_the_pile_and_melds_but_never_all_moves(
    number: float, moves: tuple[Move, ...], noticed: tuple[Move, ...]
) -> None:
    """Taking the pile is overlooked if the random number is below 0.6, melding if below 0.5."""
    assert eager._noticed(moves, Always(number)) == noticed


def test_single_cards_are_discarded_before_pairs_and_wild_cards_last() -> None:
    hand = "9d Kc 2s Kh Jo 9s Kd 5c"
    table, order = table_of("canasta", hands=[hand, "+9", "+9", "+9"], pile="4s"), []
    view = table.position
    moves = {code: table.discard(code) for code in hand.split()}
    while moves:
        chosen = eager.choose(view, Always(0.0), tuple(moves.values()))
        code = next(code for code, move in moves.items() if move == chosen)
        order.append(code)
        del moves[code]
    assert order == ["5c", "9d", "9s", "Kc", "Kh", "Kd", "2s", "Jo"]
