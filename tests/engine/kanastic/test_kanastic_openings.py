"""The first melds of a side in a round (K43-K55)."""

from typing import Any

import pytest

from engine.kanastic.values import stage_of
from engine.moves import DrawStock
from engine.turn import Step
from tests.engine.kanastic.tables import GAME, SEVENS, kanastic_table
from tests.engine.positions import Table

_REST = " 4h 5d"


def opening(hand: str, total: int = 0, **given: Any) -> Table:
    """Return a table at which seat 0 may open; its side has `total` match points."""
    return kanastic_table(hands=[hand + _REST], totals=[total], **given)


def test_k43_the_first_meld_must_meet_the_stage() -> None:
    table = opening("9h 9d 9c 8h 8d 8c Ah Ad Ac")
    assert table.refusal(table.lay("9h 9d 9c")) == "K44"
    assert table.refusal(table.lay("Ah Ad Ac")) is None


@pytest.mark.parametrize(
    ("total", "stage"),
    [
        (0, "I"),
        (1495, "I"),
        (1500, "II"),
        (2995, "II"),
        (3000, "III"),
        (4995, "III"),
        (5000, "IV"),
        (9995, "IV"),
        (30_000, "IV"),
    ],
)
def test_k44_the_stage_goes_by_the_match_total(total: int, stage: str) -> None:
    assert stage_of(total, short_suits=False).name == stage


def test_k44_the_text_has_the_bounds_of_the_stages() -> None:
    told = GAME.numbers()
    for number, name in enumerate(("I", "II", "III", "IV")):
        least = stage_of(told[f"stage_{number}"], short_suits=False)
        assert (least.name, told.get(f"opening_{number}")) == (name, least.points)
        assert told.get(f"stage_wilds_{number}") == least.wilds
        if number:
            before = stage_of(told[f"before_{number}"], short_suits=False)
            assert (before.least, told[f"stage_{number}"]) == (
                told[f"stage_{number - 1}"],
                told[f"before_{number}"] + 5,
            )


def test_k44_each_stage_has_its_points() -> None:
    fortyfive = opening("9h 9d 9c 8h 8d 8c")
    assert fortyfive.refusal(fortyfive.lay("9h 9d 9c", "8h 8d 8c")) is None
    hand = "Ah Ad Ac Kh Kd Kc 8h 8d 8c"
    second = opening(hand, 1500)
    assert second.refusal(second.lay("Ah Ad Ac", "8h 8d 8c")) == "K44"  # 75
    assert second.refusal(second.lay("Ah Ad Ac", "Kh Kd Kc")) is None  # 90
    third = opening(hand, 3000)
    assert third.refusal(third.lay("Ah Ad Ac", "Kh Kd Kc", "8h 8d 8c")) == "K44"  # 105
    enough = opening(hand + " Qh Qd Qc", 3000)
    assert enough.refusal(enough.lay("Ah Ad Ac", "Kh Kd Kc", "Qh Qd Qc")) is None  # 120


def test_k51a_a_golden_suit_is_offered_whatever_its_artifacts() -> None:
    table = opening("4g Ar 6g Ar 8g Ar Tg", 1500)  # at most one wild card otherwise
    suit = table.lay("4g Ar 6g Ar 8g Ar Tg")
    assert table.refusal(suit) is None
    assert table.offers(suit)


def test_k44_it_goes_by_the_total_of_the_own_side() -> None:
    table = kanastic_table(hands=["Ah Ad Ac 4h 5d"], totals=[0, 6000])
    assert table.refusal(table.lay("Ah Ad Ac")) is None


def test_k45_below_zero_it_is_stage_one() -> None:
    assert stage_of(-1000, short_suits=False).name == "I"
    table = opening("9h 9d 9c 8h 8d 8c", -5)
    assert table.refusal(table.lay("9h 9d 9c")) == "K44"
    assert table.refusal(table.lay("9h 9d 9c", "8h 8d 8c")) is None


def test_k47_cards_count_and_bonuses_do_not() -> None:
    # A canasta of sevens is worth 35 points here, and not 635.
    table = opening(SEVENS + " 7g 8h 8d 8c")
    assert table.refusal(table.lay(SEVENS)) == "K44"
    assert table.refusal(table.lay(SEVENS + " 7g")) == "K44"
    assert table.refusal(table.lay(SEVENS, "8h 8d 8c")) is None
    # Wild cards count, 25 and 50.
    wild = opening("8h 8d 8c Sw Ar")
    assert wild.refusal(wild.lay("8h 8d 8c Sw")) == "K44"
    assert wild.refusal(wild.lay("8h 8d 8c Ar")) is None


def test_k48_all_melds_of_the_move_count_together() -> None:
    table = opening("9h 9d 9c 8h 8d 8c")
    assert table.refusal(table.lay("9h 9d 9c")) == "K44"
    assert table.refusal(table.lay("8h 8d 8c")) == "K44"
    assert table.refusal(table.lay("9h 9d 9c", "8h 8d 8c")) is None


@pytest.mark.parametrize(("total", "most"), [(0, 6), (1500, 1), (3000, 2), (5000, 3)])
def test_k49_the_stage_limits_the_wild_cards(total: int, most: int) -> None:
    # 88 + 77 with three Swords each are the most that any stage may have.
    table = opening("Ah Ad Ac As Kh Kd Kc Ks Qh Qd Qc Qs Sw Sw Sw Sw Sw Sw Sw", total)
    for wilds in range(7):
        first, second = min(wilds, 3), max(wilds - 3, 0)
        plays = ["Ah Ad Ac As" + first * " Sw", "Kh Kd Kc Ks" + second * " Sw", "Qh Qd Qc Qs"]
        refusal = table.refusal(table.lay(*plays))
        if wilds > most:
            assert refusal == "K49"
        else:
            assert refusal == ("K50" if total == 5000 and wilds < 3 else None)


def test_k49_stage_one_knows_only_the_limit_of_each_meld() -> None:
    table = opening("8h 8d 8c Sw Sw Sw 9h 9d 9c Ar Ar Ar")
    assert table.refusal(table.lay("8h 8d 8c Sw Sw Sw", "9h 9d 9c Ar Ar Ar")) is None


def test_k49_later_melds_of_the_turn_are_ordinary() -> None:
    table = opening("Ah Ad Ac Kh Kd Kc Qh Qd Qc Sw Sw Sw", 1500)
    opened = table.apply(table.lay("Ah Ad Ac", "Kh Kd Kc"))
    assert opened.refusal(opened.lay("Qh Qd Qc Sw Sw Sw")) is None


def test_k50_stage_four_opens_with_a_canasta() -> None:
    table = opening(SEVENS + " Ah Ad Ac As Kh Kd Kc Qh Qd Qc Sw Sw Sw", 5000)
    assert table.refusal(table.lay("Ah Ad Ac As", "Kh Kd Kc", "Qh Qd Qc")) == "K50"
    assert table.refusal(table.lay(SEVENS)) is None  # 35 points are enough
    assert table.refusal(table.lay("Ah Ad Ac As Sw Sw Sw")) is None
    assert table.refusal(table.lay("Kh Kd Kc", SEVENS)) is None


_SUIT = "4g 5g 6g 7g 8g 9g Tg"
_MIXED = "4g Ar 6g Ar 8g Ar Tg"


@pytest.mark.parametrize("total", [-100, 0, 1500, 3000, 5000])
@pytest.mark.parametrize("suit", [_SUIT, _MIXED])
def test_k51_a_golden_suit_opens_at_every_stage(total: int, suit: str) -> None:
    table = opening(suit, total)
    assert table.refusal(table.lay(suit)) is None


def test_k51_a_shorter_run_counts_by_its_cards() -> None:
    table = opening("4g 5g 6g Ar", 0)
    assert table.refusal(table.lay("4g 5g 6g")) == "K44"  # 15
    assert table.refusal(table.lay("4g 5g 6g Ar")) is None  # 65
    fourth = opening("4g 5g 6g 7g 8g 9g", 5000)
    assert fourth.refusal(fourth.lay("4g 5g 6g 7g 8g 9g")) == "K50"


def test_k51_its_artifacts_are_wild_cards_of_the_move() -> None:
    table = opening("Jg Qg Kg Ar Ar Ah Ad Ac", 1500)
    assert table.refusal(table.lay("Jg Qg Kg Ar", "Ah Ad Ac")) is None
    assert table.refusal(table.lay("Ar Jg Qg Kg Ar", "Ah Ad Ac")) == "K49"


def test_k51a_a_golden_suit_sets_no_limit_to_wild_cards() -> None:
    table = opening(_MIXED + " 8h 8d 8c Sw Sw", 1500)
    assert table.refusal(table.lay(_MIXED, "8h 8d 8c Sw Sw")) is None


def test_k52_three_jacks_are_not_enough() -> None:
    table = opening("Jh Jd Jc")
    assert table.refusal(table.lay("Jh Jd Jc")) == "K44"


def test_k53_a_refused_opening_changes_nothing() -> None:
    table = opening("Jh Jd Jc")
    assert table.refusal(table.lay("Jh Jd Jc")) == "K44"
    after = table.apply(table.discard("Jh"))
    assert after.hand_codes(0) == "Jd Jc 4h 5d"
    assert after.meld_codes(0) == []


def test_k54_then_both_partners_meld_without_a_minimum() -> None:
    table = kanastic_table(hands=["Ah Ad Ac 4h 5d", "4c", "8h 8d 8c 4d 5d", "4c"], totals=[1500])
    assert table.refusal(table.lay("Ah Ad Ac")) == "K44"
    table = kanastic_table(
        hands=["Ah Ad Ac Kh Kd Kc 4h 5d", "4c 5c", "8h 8d 8c 4d 5d"], totals=[1500]
    )
    table = table.apply(table.lay("Ah Ad Ac", "Kh Kd Kc"), table.discard("4h"), DrawStock())
    table = table.apply(table.discard("4c"), DrawStock())
    assert table.refusal(table.lay("8h 8d 8c")) is None


def test_k54_the_other_side_still_needs_its_own_opening() -> None:
    table = kanastic_table(
        hands=["", "8h 8d 8c 4d 5d"], melds=[["Ah Ad Ac"]], seat=1, step=Step.PLAY
    )
    assert table.refusal(table.lay("8h 8d 8c")) == "K44"


@pytest.mark.parametrize("total", [1500, 3000, 5000])
@pytest.mark.parametrize("short_suits", [False, True])
def test_k51_short_suits_are_found_where_the_table_takes_them(
    total: int, short_suits: bool
) -> None:
    table = kanastic_table(
        hands=["6g 7g 8g 4c 5c"], totals=[total, 0], options={"short_suits": short_suits}
    )
    laying = table.lay("6g 7g 8g")
    assert (laying in table.moves) == short_suits
    assert (table.refusal(laying) is None) == short_suits
