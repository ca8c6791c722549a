"""Clauses of Canasta that the cases in `spec/referee` cannot show."""

import pytest

from engine.canasta.constants import starts
from engine.canasta.deck import CANASTA
from engine.errors import IllegalMove
from engine.games import game_named
from engine.moves import DrawStock, TakePile
from engine.position_facts import PileState
from engine.turn import Step
from tests.engine.positions import canasta_table, dealt


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


def test_c37_the_rules_are_told_with_the_minimums_and_their_bounds() -> None:
    told = game_named("canasta").numbers()
    assert [(told[f"stage_{i}"], told[f"opening_{i}"]) for i in range(3)] == [
        (0, 50),
        (1500, 90),
        (3000, 120),
    ]


@pytest.mark.parametrize(
    ("hand", "pile", "melds", "may"),
    [
        ("9h 2h", "5c 9s", ["Ks Kd Kh"], True),
        ("9h 2h", "2c 9s", ["Ks Kd Kh"], False),  # C48: frozen
        ("9h 2h", "5c 9s", [], False),  # C45: not opened
        ("9h 9d", "2c 9s", ["Ks Kd Kh"], True),
        ("9h Kc", "5c 9s", ["Ks Kd Kh"], False),  # C46: no wild card
        ("Kc 2h", "5c 9s", ["Ks Kd Kh"], False),  # C46: no natural
        ("Kc 2h", "5c 9s", ["9c 9d 9h"], True),
        ("9h 9d", "", ["9c 9d 9h"], False),
    ],
)
def test_c45_c48_conditions_for_taking_the_pile(
    hand: str, pile: str, melds: list[str], may: bool
) -> None:
    table = canasta_table(hands=[hand], pile=pile, melds=[melds], step=Step.DRAW)
    assert table.position.may_take_pile() == may


def test_c62_refusal_to_discard_a_drawn_red_three_says_to_lay_it() -> None:
    table = canasta_table(hands=["3d Ks 4c"], stock="3h +3", step=Step.DRAW).apply(DrawStock())
    with pytest.raises(IllegalMove, match="never discarded: lay it on the table"):
        table.position.check(table.discard("3h"))
    with pytest.raises(IllegalMove, match="never discarded\\. "):  # C64: too late to lay it
        table.position.check(table.discard("3d"))


def test_c85a_a_kept_known_card_must_be_laid() -> None:
    table = canasta_table(
        hands=["Kd Kh"], pile="9c Ks", melds=[["9s 9s 9h 9h 9d 9d"]], step=Step.DRAW
    )
    after = table.apply(table.take("^ Kd Kh"))
    assert after.moves == (after.lay(after.play("9c", onto=0)),)
    # The nine comes into the hand with the pile, so the taking itself cannot lay it.
    assert not [move for move in table.moves if isinstance(move, TakePile) and len(move.plays) > 1]
