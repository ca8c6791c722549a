"""Melds of like cards and canastas (K5-K10, K30-K42)."""

from typing import Any

import pytest

from engine.errors import IllegalMove
from engine.kanastic.melds import is_canasta, is_complete, is_mixed
from engine.moves import DrawStock, LayMelds
from engine.slots import Seat
from engine.turn import Step
from tests.engine.kanastic.tables import SEVENS, kanastic_table
from tests.engine.positions import Table

_NINES = "9h 9d 9c"
_REST = " 4h 5h"  # cards that stay in the hand


def laying(hand: str, *on_table: str, **given: Any) -> Table:
    """Return a table at which seat 0 may lay cards of `hand`; its side has melded."""
    return kanastic_table(hands=[hand + _REST], melds=[[*on_table, "Kh Kd Kc"]], **given)


def test_k5_a_gold_card_is_a_natural_of_its_rank() -> None:
    table = laying("9h 9d 9g")
    assert table.refusal(table.lay("9h 9d 9g")) is None


def test_k5_a_card_lies_in_one_meld_only() -> None:
    table = laying("7g 8g 9g 9h 9d")
    suit, nines = table.play("7g 8g 9g"), table.play("9g 9h 9d")
    assert table.refusal(LayMelds((suit,))) is None
    assert table.refusal(LayMelds((nines,))) is None
    assert table.refusal(LayMelds((suit, nines))) == "X11"


def test_k6_a_sword_is_wild_in_melds_of_like_cards_alone() -> None:
    table = laying("9h 9d 9c Sw 7g 8g 5g 6g")
    assert table.refusal(table.lay("9h 9d 9c Sw")) is None
    assert table.refusal(table.lay("7g 8g Sw 5g 6g")) == "K6"
    assert table.refusal(table.lay("5g 6g 7g 8g Sw")) == "K6"


def test_k7_an_artifact_is_wild_in_melds_of_both_kinds() -> None:
    table = laying("9h 9d 9c Ar 5g 6g 8g")
    assert table.refusal(table.lay("9h 9d 9c Ar")) is None
    assert table.refusal(table.lay("5g 6g Ar 8g")) is None


def test_k8_shields_are_never_melded() -> None:
    table = laying("9h 9d 9c Sh Sh Sh", _NINES.replace("9", "T"))
    assert table.refusal(table.lay("9h 9d 9c Sh")) == "K8"
    assert table.refusal(table.lay("Sh Sh Sh")) == "K8"
    assert table.refusal(table.lay(table.play("Sh", 0))) == "K8"


def test_k9_pots_are_never_melded() -> None:
    table = laying("9h 9d 9c Po Po Po", _NINES.replace("9", "T"))
    assert table.refusal(table.lay("9h 9d 9c Po")) == "K9"
    assert table.refusal(table.lay("Po Po Po")) == "K9"
    assert table.refusal(table.lay(table.play("Po", 0))) == "K9"


@pytest.mark.parametrize("wilds", ["Sw Sw Sw", "Ar Ar Ar", "Sw Ar Sw"])
def test_k10_wild_cards_alone_are_no_meld(wilds: str) -> None:
    table = laying(wilds)
    assert table.refusal(table.lay(wilds)) == "K10"


def test_k30_a_meld_has_three_naturals() -> None:
    table = laying("9h 9d 9c Sw Sw")
    assert table.refusal(table.lay("9h 9d Sw")) == "K30"
    assert table.refusal(table.lay("9h Sw Sw")) == "K30"
    assert table.refusal(table.lay("9h 9d 9c")) is None
    assert table.refusal(LayMelds(())) == "K30"


def test_k30_a_meld_has_three_wilds_at_most() -> None:
    table = laying("9h 9d 9c Sw Sw Ar Ar")
    assert table.refusal(table.lay("9h 9d 9c Sw Sw Ar")) is None
    assert table.refusal(table.lay("9h 9d 9c Sw Sw Ar Ar")) == "K30"


def test_k30_the_bounds_hold_after_each_addition() -> None:
    table = laying("Sw Sw", "9h 9d 9c Ar Ar")
    assert table.refusal(table.lay(table.play("Sw", 0))) is None
    assert table.refusal(table.lay(table.play("Sw Sw", 0))) == "K30"
    after = table.apply(table.lay(table.play("Sw", 0)))
    assert after.refusal(after.lay(after.play("Sw", 0))) == "K30"


def test_k31_a_new_meld_shows_three_suits() -> None:
    table = laying("9h 9d 9s 9g 9h 9d Sw")
    for two_suits in ("9h 9d 9h", "9h 9d 9h 9d", "9s 9g 9h", "9h 9d 9d Sw"):
        assert table.refusal(table.lay(two_suits)) == "K31"
    assert table.refusal(table.lay("9h 9d 9g")) is None
    assert table.refusal(table.lay("9h 9d 9h 9s")) is None


def test_k31_cards_of_any_suit_join_it_later() -> None:
    table = laying("9h", _NINES)
    assert table.refusal(table.lay(table.play("9h", 0))) is None


def test_k31_the_option_lets_any_suits_meld() -> None:
    table = laying("9h 9d 9h", options={"distinct_suits": False})
    assert table.refusal(table.lay("9h 9d 9h")) is None


def test_k31_naturals_are_of_one_rank() -> None:
    table = laying("9h 9d 8c 8g 9g")
    assert table.refusal(table.lay("9h 9d 8c")) == "K31"
    assert table.refusal(table.lay("8g 9g 9d")) == "K31"


def test_k32_wilds_may_be_there_from_the_start() -> None:
    table = laying("Th Td Tc Sw Ar")
    assert table.refusal(table.lay("Th Td Tc Sw Ar")) is None
    assert table.refusal(table.lay("Sw Th Td Tc")) is None


def test_k33_a_side_has_one_meld_of_a_rank() -> None:
    table = laying("9s 9h 9d", _NINES)
    assert table.refusal(table.lay("9s 9h 9d")) == "K33"
    assert table.refusal(table.lay(table.play("9s 9h 9d", 0))) is None


def test_k33_nobody_is_told_to_add_to_a_full_meld() -> None:
    table = laying("9d 9g 9c", "9h 9h 9d 9s 9c Sw Sw Sw")
    with pytest.raises(IllegalMove, match="no room in it"):
        table.position.apply(table.lay("9d 9g 9c"))


def test_k33_not_even_in_one_move() -> None:
    table = laying("9s 9h 9d 9g 9h 9c")
    assert table.refusal(table.lay("9s 9h 9d", "9g 9h 9c")) == "K33"


def test_k34_any_number_of_melds() -> None:
    ranks = "456789TJQ"
    table = kanastic_table(
        hands=["Ah Ad Ac 4h 5h"], melds=[[f"{rank}h {rank}d {rank}c" for rank in ranks]]
    )
    after = table.apply(table.lay("Ah Ad Ac"))
    assert len(after.meld_codes(0)) == 10


def test_k35_partners_share_their_melds() -> None:
    table = kanastic_table(hands=["4h 5h", "", "9s 6h 6d"], melds=[[_NINES]], seat=2)
    after = table.apply(table.lay(table.play("9s", 0)))
    assert after.meld_codes(0) == [f"{_NINES} 9s"]


def test_k35_what_is_added_is_of_the_rank() -> None:
    table = laying("8h Sw", _NINES)
    assert table.refusal(table.lay(table.play("8h", 0))) == "K35"
    assert table.refusal(table.lay(table.play("Sw 8h", 0))) == "K35"
    assert table.refusal(table.lay(table.play("", 0))) == "K35"


def test_k36_nothing_is_added_to_melds_of_others() -> None:
    table = kanastic_table(hands=["9s 4h 5h"], melds=[["Kh Kd Kc"], [_NINES]])
    assert table.refusal(table.lay(table.play("9s", 1))) == "K36"
    assert table.refusal(table.lay(table.play("9s", -1))) == "K36"
    assert table.refusal(table.lay(table.play("9s", 0))) == "K35"
    assert not any(isinstance(move, LayMelds) for move in table.moves)


def test_k37_a_meld_of_one_rank_has_eight_cards_at_most() -> None:
    table = laying("9h 9g Sw", "9h 9d 9c 9d 9c 9s")
    assert table.refusal(table.lay(table.play("9h 9g", 0))) is None
    assert table.refusal(table.lay(table.play("9h 9g Sw", 0))) == "K37"
    full = laying("Sw", "9h 9d 9c 9d 9c 9s 9h 9g")
    assert full.refusal(full.lay(full.play("Sw", 0))) == "K37"
    new = laying("9h 9d 9c 9d 9c 9s Sw Sw Ar")
    assert new.refusal(new.lay("9h 9d 9c 9d 9c 9s Sw Sw Ar")) == "K37"


@pytest.mark.parametrize(
    ("meld", "canasta", "mixed"),
    [
        ("9h 9d 9c 9h 9d 9c", False, False),
        ("9h 9d 9c 9h 9d 9c 9s", True, False),
        ("9h 9d 9c 9h 9d 9c 9s 9g", True, False),
        ("9h 9d 9c 9h Sw Sw Ar", True, True),
        ("9h 9d 9c Sw Sw Ar", False, True),
        ("5g 6g 7g 8g 9g Tg Jg", False, False),
    ],
)
def test_k38_seven_or_eight_of_a_rank_are_a_canasta(meld: str, canasta: bool, mixed: bool) -> None:
    laid = laying("", meld).position.laid[0].melds[0]
    assert is_canasta(laid) is canasta
    assert is_mixed(laid) is mixed
    assert is_complete(laid) is (canasta or meld.startswith("5g"))


def test_k39_a_wild_card_makes_a_natural_canasta_mixed() -> None:
    table = laying("Sw", SEVENS)
    after = table.apply(table.lay(table.play("Sw", 0))).position.laid[0].melds[0]
    assert is_canasta(after)
    assert is_mixed(after)


def test_k41_melded_cards_stay_where_they_are() -> None:
    table = laying("9s", _NINES, _NINES.replace("9", "8"))
    lying = table.position.laid[0].melds[0].cards[0]
    play = table.play("9s", 0)
    moved = LayMelds((type(play)((*play.cards, lying), 0),))
    assert table.refusal(moved) == "X11"


def test_k42_every_seat_sees_what_is_melded() -> None:
    table = laying("9h 9d 9c Sw")
    after = table.apply(table.lay("9h 9d 9c Sw"))
    assert after.position.seen(()).laid == after.position.laid
    assert after.meld_codes(0)[-1] == "9h 9d 9c Sw"


def test_k28_only_the_seat_whose_turn_it_is_melds() -> None:
    table = kanastic_table(
        hands=["4h 5h", "9h 9d 9c 6h"], melds=[["Kh Kd Kc"], ["Qh Qd Qc"]], step=Step.DRAW
    )
    table = table.apply(DrawStock())
    nines = LayMelds((table.play("4h"),))
    foreign = LayMelds((type(nines.plays[0])(table.hand("9h 9d 9c", 1)),))
    assert table.refusal(foreign) == "X11"
    assert table.position.legal_moves(Seat(1)) == ()
