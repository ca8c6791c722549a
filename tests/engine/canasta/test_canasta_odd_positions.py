"""Cards where a round hardly ever has them: red threes and twos where the pile begins."""

import pytest

from engine.canasta.deck import CANASTA
from engine.canasta.values import starts
from engine.table_status import PileState
from tests.engine.canasta.tables import canasta_table


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
def test_c14_which_card_starts_the_pile(code: str, plain: bool, with_option: bool) -> None:
    card = next(card for card in CANASTA if card.code == code)
    assert starts(card, red_start=False) == plain
    assert starts(card, red_start=True) == with_option


def test_c15_a_red_three_on_top_freezes_and_is_no_black_one() -> None:
    frozen = canasta_table(hands=["9s"], pile="5c 3h").position
    assert frozen.pile_status(frozen.side).state is PileState.FROZEN
    blocked = canasta_table(hands=["9s"], pile="5c 3s").position
    assert blocked.pile_status(blocked.side).state is PileState.BLOCKED
