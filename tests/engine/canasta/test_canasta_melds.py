"""Points of cards, melds and canastas (C22-C36)."""

import pytest

from engine.canasta.deck import CANASTA
from engine.like_melds.cards import points_of
from engine.like_melds.melds import is_clean, is_complete
from engine.slots import Seat
from tests.engine.canasta.tables import canasta_table as table_of

RICH = [-5]  # an opening of 15 points, so that melds are judged for themselves


def points(code: str) -> int:
    return points_of((next(card for card in CANASTA if card.code == code),))


def test_c22_jokers_fifty_twos_and_aces_twenty_kings_to_eights_ten() -> None:
    assert points("Jo") == 50
    assert points("2s") == points("As") == 20
    assert {points(f"{rank}h") for rank in "KQJT98"} == {10}


def test_c23_sevens_to_fours_are_five() -> None:
    assert {points(f"{rank}c") for rank in "7654"} == {5}


def test_c24_black_threes_are_five() -> None:
    assert points("3s") == points("3c") == 5


def test_c25_a_meld_is_three_cards_or_more_of_one_rank() -> None:
    table = table_of(hands=["Ks Kd Kh Qh Jh Th 4c 4d"], totals=RICH)
    assert table.refusal(table.lay("Ks Kd Kh")) is None
    assert table.refusal(table.lay("Ks Kd")) == "C25"
    assert table.refusal(table.lay("Ks Kd Qh")) == "C25"
    assert table.refusal(table.lay("Kh Qh Jh Th")) == "C25"
    assert table.refusal(table.lay()) == "C25"
    assert table.refusal(table.lay(table.play("Ks Kd Kh", low=True))) == "C25"


def test_c25_only_cards_of_its_rank_join_a_meld() -> None:
    table = table_of(hands=["Ks 4c 4d"], melds=[["Kd Kh Kc"]])
    assert table.refusal(table.lay(table.play("Ks", onto=0))) is None
    assert table.refusal(table.lay(table.play("4c", onto=0))) == "C25"


def test_c26_three_cards_take_one_wild() -> None:
    table = table_of(hands=["5h 5d 2s 2d 9c 9d"], totals=RICH)
    assert table.refusal(table.lay("5h 5d 2s")) is None
    assert table.refusal(table.lay("5h 2s 2d")) == "C26"


@pytest.mark.parametrize(
    ("meld", "clause"),
    [
        ("9c 9d 2s 2d", None),
        ("9c 9d 2s Jo Jo", None),
        ("9c 9d 9h 2s Jo Jo", None),
        ("9c 9d 2s 2d Jo Jo", "C27"),
        ("9c 9d 9h 9s 2s 2d Jo Jo", "C27"),
        ("9c 2s 2d Jo", "C27"),
    ],
)
def test_c27_two_naturals_at_least_and_three_wilds_at_most(meld: str, clause: str | None) -> None:
    table = table_of(hands=["9c 9d 9h 9s 2s 2d Jo Jo Ks Kd"])
    assert table.refusal(table.lay(meld)) == clause


def test_c27_wilds_are_added_up_to_three() -> None:
    table = table_of(hands=["2s 2d Jo 4c 4d"], melds=[["9c 9d 2h"]])
    assert table.refusal(table.lay(table.play("2s Jo", onto=0))) is None
    assert table.refusal(table.lay(table.play("2s 2d Jo", onto=0))) == "C27"


def test_c28_wild_cards_alone_are_no_meld() -> None:
    table = table_of(hands=["2s 2d Jo Jo 9c"])
    for meld in ("2s 2d Jo", "2s 2d Jo Jo", "Jo"):
        assert table.refusal(table.lay(meld)) == "C28"


def test_c29_a_side_has_one_meld_of_a_rank() -> None:
    table = table_of(hands=["9c 9d 9h 4c 4d 5d"], melds=[["9s 9c 9d"]])
    assert table.refusal(table.lay("9c 9d 9h")) == "C29"
    assert table.refusal(table.lay(table.play("9c 9d 9h", onto=0))) is None
    split = table_of(hands=["9c 9d 9h 9s 9c 9d 4c 4d"])
    assert split.refusal(split.lay("9c 9d 9h", "9s 9c 9d")) == "C29"
    assert table.refusal(table.lay(table.play("", onto=0))) == "C29"


def test_c30_partners_share_melds() -> None:
    table = table_of(hands=["", "", "9h 4c 4d", ""], melds=[["9s 9c 9d"]], seat=2)
    after = table.apply(table.lay(table.play("9h", onto=0)))
    assert after.meld_codes(0) == ["9s 9c 9d 9h"]
    assert after.position.side_of(Seat(2)) == 0


def test_c31_nothing_is_added_to_other_sides_melds() -> None:
    table = table_of(hands=["9h 4c 4d"], melds=[["8s 8c 8d"], ["9s 9c 9d", "7s 7d 7c"]])
    assert table.refusal(table.lay(table.play("9h", onto=0))) == "C25"
    for number in (-1, 1, 2):
        assert table.refusal(table.lay(table.play("9h", onto=number))) == "C31"
    assert "9h" not in [
        shown.card.code
        for move in table.moves
        for play in getattr(move, "plays", ())
        for shown in play.cards
    ]


@pytest.mark.parametrize(
    ("meld", "canasta", "clean"),
    [
        ("9s 9s 9h 9h 9d 9d 9c", True, True),
        ("9s 9s 9h 9h 9d 9d Jo", True, False),
        ("9s 9s 9h 9h 9d 2s 2d", True, False),
        ("9s 9s 9h 9h 2d 2s Jo", True, False),
        ("9s 9s 9h 9h 9d 2s", False, False),
        ("9s 9s 9h 9h 9d 9d", False, True),
    ],
)
def test_c32_a_canasta_is_seven_cards_clean_without_wilds(
    meld: str, canasta: bool, clean: bool
) -> None:
    laid = table_of(melds=[[meld]]).position.laid[0].melds[0]
    assert is_complete(laid) is canasta
    assert is_clean(laid) is clean


def test_c33_a_canasta_grows_beyond_seven_and_stays_one() -> None:
    table = table_of(hands=["9c Jo 4c 4d"], melds=[["9s 9s 9h 9h 9d 9d 9c"]])
    after = table.apply(table.lay(table.play("9c", onto=0)))
    assert after.meld_codes() == ["9s 9s 9h 9h 9d 9d 9c 9c"]
    assert after.refusal(after.lay(after.play("Jo", onto=0))) is None


def test_c34_a_wild_card_makes_a_clean_canasta_dirty() -> None:
    table = table_of(hands=["2s 2d Jo Jo 4c 4d"], melds=[["9s 9s 9h 9h 9d 9d 9c"]])
    after = table.apply(table.lay(table.play("2s", onto=0)))
    assert not is_clean(after.position.laid[0].melds[0])
    assert table.refusal(table.lay(table.play("2s 2d Jo Jo", onto=0))) == "C27"


def test_c36_melded_cards_stay_where_they_are() -> None:
    table = table_of(hands=["9h 4c 4d"], melds=[["9s 9c Jo"]])
    joker = table.position.laid[0].melds[0].cards[2]
    play = table.play("9h", onto=0)
    assert table.refusal(table.lay(type(play)((*play.cards, joker), 0))) == "X11"
    assert table.refusal(type(table.discard("9h"))(joker)) == "X11"
