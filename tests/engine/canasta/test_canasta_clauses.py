"""Clauses of Canasta that the cases in `spec/referee` cannot show."""

import pytest

from engine.canasta.constants import starts
from engine.canasta.deck import CANASTA
from engine.position_facts import PileState
from tests.engine.positions import dealt


@pytest.mark.parametrize(
    ("code", "plain", "with_option"),
    [
        ("Jo", False, False),
        ("2h", False, False),
        ("3d", False, False),
        ("2s", False, True),
        ("3c", False, True),
        ("4h", True, True),
        ("Kc", True, True),
    ],
)
def test_c14_cards_that_can_start_the_pile(code: str, plain: bool, with_option: bool) -> None:
    card = next(card for card in CANASTA if card.code == code)
    assert starts(card, red_start=False) == plain
    assert starts(card, red_start=True) == with_option


@pytest.mark.parametrize(
    ("turned", "state"),
    [
        ("Jo 9d", PileState.FROZEN),
        ("2c 9d", PileState.FROZEN),
        ("3h 9d", PileState.FROZEN),
        ("3s 9d", PileState.UNOPENED),
        ("9d", PileState.UNOPENED),
    ],
)
def test_c15_a_wild_card_or_red_three_at_the_start_freezes_the_pile(
    turned: str, state: PileState
) -> None:
    position = dealt("canasta", 2, turned=turned).position
    assert position.pile_status(position.side).state is state
