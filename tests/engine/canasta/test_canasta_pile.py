"""Taking the discard pile (C44-C55)."""

from typing import Any

import pytest

from engine.moves import DrawStock, Play, TakePile
from engine.turn import Step
from tests.engine.canasta.tables import canasta_table, position_of
from tests.engine.positions import Table

OPENED = [["Qs Qd Qh"]]


def drawing(hand: str, pile: str, **more: Any) -> Table:
    return canasta_table(hands=[hand], pile=pile, step=Step.DRAW, **more)


def test_c44_the_whole_pile_is_taken_and_its_top_melded_at_once() -> None:
    table = drawing("9d 9h 8d 8h 8s 4c", "5c 6c 9s", melds=OPENED)
    after = table.apply(table.take("^ 9d 9h"))
    assert after.meld_codes() == ["Qs Qd Qh", "9s 9d 9h"]
    assert after.hand_codes(0) == "8d 8h 8s 4c 5c 6c"
    assert after.position.turn.took
    assert table.refusal(table.take("8d 8h 8s")) == "C44"
    assert table.refusal(TakePile()) == "C44"


def test_c45_unopened_takes_two_naturals_and_the_minimum() -> None:
    table = drawing("9d 9h Jo 2s Ks Kd Kh 4c 5c", "9s")
    assert table.refusal(table.take("^ 9d 9h Jo")) is None
    assert table.refusal(table.take("^ 9d 9h", "Ks Kd Kh")) is None
    assert table.refusal(table.take("^ 9d 9h")) == "C37"
    assert table.refusal(table.take("^ 9d Jo")) == "C45"
    assert table.refusal(table.take("^ 9d 2s", "Ks Kd Kh Jo")) == "C45"


def test_c46_opened_takes_a_natural_and_a_wild_card() -> None:
    table = drawing("9d 9h Jo 4c 5c 6c", "9s", melds=OPENED)
    assert table.refusal(table.take("^ 9d 9h")) is None
    assert table.refusal(table.take("^ 9d Jo")) is None
    assert table.refusal(table.take("^ 9d")) == "C25"
    assert table.refusal(table.take("^")) == "C46"


def test_c46a_what_else_is_melded_may_be_melded_in_the_same_move() -> None:
    table = drawing("9d 9h 8d 8h 8s 4c 5c", "9s", melds=OPENED)
    after = table.apply(table.take("^ 9d 9h", "8d 8h 8s"))
    assert after.meld_codes() == ["Qs Qd Qh", "9s 9d 9h", "8d 8h 8s"]


@pytest.mark.parametrize("meld", ["9d 9h 9c", "9d 9h 9c 9s 9d 9h 9c"])
def test_c47_a_top_that_joins_an_own_meld_needs_no_cards(meld: str) -> None:
    table = drawing("4c 5c 2s", "6c 9s", melds=[[meld]])
    after = table.apply(table.take(table.play("^", onto=0)))
    assert after.meld_codes() == [f"{meld} 9s"]
    assert table.refusal(table.take(table.play("^ 2s", onto=0))) is None
    rival = canasta_table(
        hands=["", "4c 5c"], seat=1, pile="9s", melds=[[meld], ["8s 8d 8h"]], step=Step.DRAW
    )
    assert rival.refusal(rival.take(rival.play("^", onto=0))) == "C25"


@pytest.mark.parametrize("freezing", ["Jo", "2c", "3h"])
def test_c48_a_frozen_pile_takes_two_naturals(freezing: str) -> None:
    table = drawing("9d 9h Jo 4c 5c 6c", f"7c {freezing} 9s", melds=OPENED)
    assert table.refusal(table.take("^ 9d Jo")) == "C48"
    assert table.refusal(table.take("^ 9d 9h")) is None
    joining = drawing("9d 9h 4c 5c", f"{freezing} 9s", melds=[["9c 9d 9h"]])
    assert joining.refusal(joining.take(joining.play("^", onto=0))) == "C48"
    assert joining.refusal(joining.take(joining.play("^ 9d", onto=0))) == "C48"
    after = joining.apply(joining.take(joining.play("^ 9d 9h", onto=0)))
    assert after.meld_codes() == ["9c 9d 9h 9s 9d 9h"]
    assert joining.refusal(joining.take("^ 9d 9h")) == "C29"


def test_c49_never_with_two_wild_cards() -> None:
    table = drawing("2s Jo 9d 4c 5c", "9s", melds=OPENED)
    assert table.refusal(table.take("^ 2s Jo")) == "C49"
    unopened = drawing("2s Jo 4c 5c", "9s")
    assert unopened.refusal(unopened.take("^ 2s Jo")) == "C45"


def test_c49_never_with_two_black_threes() -> None:
    table = drawing("3s 3c 9d 4c 5c", "3s", melds=OPENED)
    assert table.refusal(table.take("^ 3s 3c")) == "C50"
    other = drawing("3s 3c 9d 4c 5c", "9s", melds=OPENED)
    assert other.refusal(other.take("^ 3s 3c")) in ("C25", "C46")


@pytest.mark.parametrize("top", ["Jo", "2c", "3s", "3c"])
def test_c50_a_joker_a_two_or_a_black_three_on_top_bars_the_pile(top: str) -> None:
    table = drawing("9d 9h 2s Jo 3s 3c 4c", f"9s {top}", melds=[["9c 9d 9h"]])
    for codes in ("^ 9d 9h", "^ 2s Jo", "^ 3s 3c"):
        assert table.refusal(table.take(codes)) == "C50"
    assert table.refusal(table.take(table.play("^", onto=0))) == "C50"
    assert not [move for move in table.moves if isinstance(move, TakePile)]


@pytest.mark.parametrize("wild", ["Jo", "2s"])
def test_c51_a_discarded_wild_card_freezes_the_pile_until_it_is_taken(wild: str) -> None:
    table = canasta_table(
        hands=[f"{wild} 4c", "6c 7c", "9d 9h 8c Tc", "8s 8d"],
        pile="5c",
        stock="4h 9s +5",
        melds=[OPENED[0], ["8h 8c 8s"]],
    )
    assert not position_of(table).pile_frozen
    table = table.apply(table.discard(wild))
    table = table.apply(DrawStock(), table.discard("6c"))
    assert position_of(table).pile_frozen
    table = table.apply(DrawStock(), table.discard("9d"))
    assert position_of(table).pile_frozen
    frozen = canasta_table(
        hands=["9d 9h 8c Tc"], pile=f"5c {wild} 9s", melds=OPENED, step=Step.DRAW
    )
    after = frozen.apply(frozen.take("^ 9d 9h"), frozen.discard("8c"))
    assert not position_of(after).pile_frozen
    assert wild in after.hand_codes(0)


def test_c52_a_black_three_covers_for_one_turn_and_does_not_freeze() -> None:
    table = canasta_table(
        hands=["3s 4c 5c", "9d 9h 6c"], pile="8c", melds=[[], ["9s 9c 9h"]], stock="Kc +5"
    )
    table = table.apply(table.discard("3s"))
    assert not position_of(table).pile_frozen
    assert table.refusal(table.take("^ 9d 9h")) == "C50"
    later = canasta_table(
        hands=["", "9d 6c"], seat=1, pile="8c 3s 9s", melds=[[], ["9d 9c 9h"]], step=Step.DRAW
    )
    assert later.refusal(later.take(later.play("^", onto=0))) is None


def test_c53_the_rest_of_the_pile_is_melded_afterwards_in_the_same_turn() -> None:
    table = drawing("9d 9h Jo 8d 8h 4c 5c", "8s 9s")
    below = Play((*table.hand("8d 8h"), table.position.pile[0]))
    assert table.refusal(TakePile((table.play("^ 9d 9h Jo"), below))) == "X11"
    after = table.apply(table.take("^ 9d 9h Jo"))
    assert after.refusal(after.lay("8d 8h 8s")) is None


def test_c54_taking_is_optional_while_there_is_a_stock() -> None:
    table = drawing("4c 5c", "9s", melds=[["9d 9h 9c"]])
    assert table.refusal(DrawStock()) is None
    assert table.refusal(table.take(table.play("^", onto=0))) is None


def test_c55_a_pile_of_one_card_and_a_hand_of_one_card_is_judged_by_c85() -> None:
    """The last card could not be discarded without a canasta; with one it may."""
    stuck = drawing("4c", "9s", melds=[["9d 9h 9c"]])
    assert stuck.refusal(stuck.take(stuck.play("^", onto=0))) == "C85"
    able = drawing("4c", "9s", melds=[["9d 9h 9c 9s 9d 9h"]])
    after = able.apply(able.take(able.play("^", onto=0)))
    assert after.apply(after.discard("4c")).position.closer == 0
    longer = drawing("4c", "5c 9s", melds=[["9d 9h 9c"]])
    assert longer.refusal(longer.take(longer.play("^", onto=0))) is None
