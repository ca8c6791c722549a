"""The points that a side's first melds need (C37-C43), with the examples of the rules."""

import pytest

from engine.games import game_named
from engine.moves import LayMelds, TakePile
from engine.slots import Seat
from engine.turn import Step
from tests.engine.canasta.tables import canasta_table as table_of

# Melds of 45, 50, 85, 90, 115 and 120 points in one hand.
HAND = "Ks Kd Kh 5s 5d 5h Jo 2s 2d 2h 9s 9d 9h 4c 6d 7d"
WORTH = {
    15: ("5s 5d 5h",),
    30: ("Ks Kd Kh",),
    45: ("Ks Kd Kh", "5s 5d 5h"),
    50: ("Ks Kd Kh 2s",),
    85: ("Ks Kd Kh 2s 2d", "5s 5d 5h"),
    90: ("Ks Kd Kh 2s 2d 2h",),
    115: ("Ks Kd Kh Jo 2s", "5s 5d 5h"),
    120: ("Ks Kd Kh Jo 2s 2d",),
}


@pytest.mark.parametrize(
    ("total", "minimum"),
    [(0, 50), (1495, 50), (1500, 90), (2995, 90), (3000, 120), (4995, 120)],
)
def test_c37_the_minimum_goes_by_the_total_of_the_side(total: int, minimum: int) -> None:
    table = table_of(hands=[HAND], totals=[total, 1500])
    for points, melds in WORTH.items():
        expected = None if points >= minimum else "C37"
        assert table.refusal(table.lay(*melds)) == expected, points


def test_c37_the_text_has_the_bounds_of_the_minimums() -> None:
    told = game_named("canasta").numbers()
    assert [(told[f"stage_{i}"], told[f"opening_{i}"]) for i in range(3)] == [
        (0, 50),
        (1500, 90),
        (3000, 120),
    ]


@pytest.mark.parametrize("total", [-5, -2000])
def test_c38_a_side_below_zero_opens_with_fifteen(total: int) -> None:
    table = table_of(hands=["4s 4d 4h 9s 5c 6c 2s Td"], totals=[total])
    assert table.refusal(table.lay("4s 4d 4h")) is None
    below = table_of(hands=["3s 3c 9s 9d"], totals=[total])
    assert below.refusal(below.lay("9s 9d")) == "C25"


def test_c38_no_meld_is_too_small_for_fifteen() -> None:
    """Three fours make just fifteen, so only black threes could be refused, and these are C69."""
    table = table_of(hands=["3s 3c 3s 9s 9d"], totals=[-5])
    assert table.refusal(table.lay("3s 3c 3s")) == "C69"


@pytest.mark.parametrize("total", [5000, 7205])
def test_c39_a_tie_beyond_the_target_opens_with_120(total: int) -> None:
    table = table_of(hands=[HAND], totals=[total, total])
    assert table.refusal(table.lay(*WORTH[115])) == "C37"
    assert table.refusal(table.lay(*WORTH[120])) is None


def test_c40_only_the_first_melds_of_a_side_need_the_minimum() -> None:
    table = table_of(hands=[HAND, "8s 8d 8h 4d 4h"])
    opened = table.apply(table.lay(*WORTH[50]))
    assert opened.refusal(opened.lay("5s 5d 5h")) is None
    partner = table_of(hands=["", "", "5s 5d 5h 4c 4d"], melds=[["Ks Kd Kh 2s"]], seat=2)
    assert partner.refusal(partner.lay("5s 5d 5h")) is None
    rival = table_of(hands=["", "5s 5d 5h 4c 4d"], melds=[["Ks Kd Kh 2s"]], seat=1)
    assert rival.refusal(rival.lay("5s 5d 5h")) == "C37"


def test_c41_several_melds_may_make_it_up() -> None:
    table = table_of(hands=[HAND])
    assert table.refusal(table.lay("Ks Kd Kh", "9s 9d 9h")) is None
    assert table.refusal(table.lay("Ks Kd Kh")) == "C37"


def test_c42_the_top_of_the_pile_counts_and_what_is_below_does_not() -> None:
    table = table_of(hands=["9d 9h 2s 4c 5c"], pile="As Ad 9s", step=Step.DRAW)
    assert table.refusal(table.take("^ 9d 9h 2s")) is None  # 30 with the top, and 20
    poorer = table_of(hands=["8d 8h 7d 7h 7s 4c"], pile="As Ad 8s", step=Step.DRAW)
    assert poorer.refusal(poorer.take("^ 8d 8h", "7d 7h 7s")) == "C37"  # 45 without the aces


def test_c42_red_threes_do_not_count() -> None:
    table = table_of(hands=["Ks Kd Kh 5s 5d 5h 4c 6c"], bonus=["3h 3d"])
    assert table.refusal(table.lay("Ks Kd Kh", "5s 5d 5h")) == "C37"


@pytest.mark.parametrize(
    ("total", "hand", "melds"),
    [
        # 50: a six on the pile, two sixes with a joker, or with two twos
        (0, "6d 6h Jo", ["^ 6d 6h Jo"]),
        (0, "6d 6h 2s 2d", ["^ 6d 6h 2s 2d"]),
        # 90: two sixes, three fives and three aces
        (1500, "6d 6h 5s 5d 5h As Ad Ah", ["^ 6d 6h", "5s 5d 5h", "As Ad Ah"]),
        # 120: two sixes, two jokers and a two
        (3000, "6d 6h Jo Jo 2s", ["^ 6d 6h Jo Jo 2s"]),
    ],
)
def test_c42_the_examples_of_the_rules(total: int, hand: str, melds: list[str]) -> None:
    table = table_of(hands=[f"{hand} Tc Jc"], pile="6s", totals=[total], step=Step.DRAW)
    move = table.take(*melds)
    assert table.refusal(move) is None
    less = table.take(*melds[:-1], melds[-1].rsplit(" ", 1)[0])
    assert table.refusal(less) in ("C37", "C25")
    assert any(isinstance(move, TakePile) for move in table.moves)


@pytest.mark.parametrize("target", ["6", "A", "9"])
def test_c43_the_example_of_120_with_aces_and_nines(target: str) -> None:
    """It comes to 135 with the sixes; the two may lie on any of the three melds."""
    melds = {"6": "^ 6d 6h", "A": "As Ad Ah", "9": "9s 9d 9h"}
    melds[target] += " 2s"
    table = table_of(
        hands=["6d 6h As Ad Ah 9s 9d 9h 2s Tc Jc"], pile="6s", totals=[3000], step=Step.DRAW
    )
    assert table.refusal(table.take(*melds.values())) is None
    without = table.take("^ 6d 6h", "As Ad Ah", "9s 9d 9h")
    assert table.refusal(without) == "C37"  # 105, fifteen of them by the sixes


def test_openings_that_exist_are_offered() -> None:
    table = table_of(hands=["4s 4d 5s 5d 6s 6d 2s 2d 2h 7c 8c"], totals=[1500])
    offered = [move for move in table.moves if isinstance(move, LayMelds)]
    assert [len(move.plays) for move in offered] == [3]
    assert table.position.legal_moves(Seat(1)) == ()
