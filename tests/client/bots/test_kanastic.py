"""The evaluator of Kanastic: a last discard that doubles the points, and readiness to open."""

import random
from typing import Any

import pytest
from attrs import evolve

from client.bots.evaluator_registry import evaluator_of
from client.bots.games.kanastic import KanasticEvaluator, KanasticWeights
from client.bots.one_move_ahead import going_out
from client.bots.weights import Tuning
from engine.games import GAMES
from engine.moves import LayMelds, shown_by
from engine.position import Position
from engine.slots import Seat
from tests.engine.kanastic.tables import kanastic_table
from tests.engine.positions import table_of

EIGHTS = "8s 8h 8d 8c 8h 8d 8c"
QUEENS = "Qs Qh Qd"
TENS = "Ts Th Td Tc Th Td Tc"


def added(view: Position, **weights: Any) -> float:
    """Return how much these weights add to the standing of seat 0, compared with weights of 0."""
    neutral = {name: (0,) if isinstance(value, tuple) else 0 for name, value in weights.items()}
    valued, plain = (
        KanasticEvaluator(KanasticWeights(**{"missing_suit": 0.5, **each})).standing(view, Seat(0))
        for each in (weights, neutral)
    )
    return valued - plain


def alone(hand: str, total: int = 0, **options: bool) -> Position:
    """Return a position of two in which seat 0 has this hand, and nothing is melded."""
    return table_of("kanastic", hands=[hand], totals=(total, 0), seats=2, options=options).position


@pytest.mark.parametrize(
    ("theirs", "thrown_last"), [([], "Sw"), ([TENS, "Js Jh Jd Jc Jh Jd Jc"], "9h")]
)
def test_patient_level_doubles_only_when_its_side_is_ahead(
    theirs: list[str], thrown_last: str
) -> None:
    """A wild last discard doubles all points (K98). A side that is behind avoids it.

    The side has 730 points on the table. Seat 0 lays a Sword or a nine, discards the other card,
    and so goes out.
    """
    hands, melds = ["Sw 9h", "4h", "4c", "4h"], [[EIGHTS, "9s 9d 9c"], theirs]
    view = table_of("kanastic", hands=hands, melds=melds, pile="4s").position
    evaluator = evaluator_of(GAMES["kanastic"], Tuning.LEARNT)
    move = going_out(view, Seat(0), evaluator, view.legal_moves(Seat(0)))
    assert isinstance(move, LayMelds)
    assert {"Sw", "9h"} - {shown.card.code for shown in shown_by(move)} == {thrown_last}


@pytest.mark.parametrize(
    ("meld", "held", "worth"),
    [
        ("Ks Kh Kd", "4c", 30 + 0.15 * 600),
        ("Ks Kh Kd", "Kc Kh", 30 + 0.42 * 600),  # two more kings add 1.6 to the size
        ("Ks Kh Kd Sw", "4c", 55 + 0.225 * 300),  # a wild card adds 0.5 to the size
        ("Ks Kh Kd Kc Kg Kh Kd", "4c", 70 + 600),
        ("Ks Kh Kd Kc Kg Kh Sw", "4c", 85 + 300),
        ("As Ah Ad Ac Ag Ah Ad", "4c", 140 + 1000),
        ("As Ah Ad Ac Ag Ah Sw", "4c", 145 + 500),
        ("4g 5g 6g 7g", "4c", 20 + 0.08 * 5000),
        ("4g 5g 6g Ar", "4c", 65 + 0.08 * 2500),
        ("4g 5g 6g 7g 8g 9g Tg", "4c", 45 + 5000),
        ("4g 5g 6g 7g 8g 9g Ar", "4c", 85 + 2500),
    ],
)
def test_a_meld_is_worth_its_cards_and_a_share_of_its_bonus(
    meld: str, held: str, worth: float
) -> None:
    nothing: dict[str, Any] = {
        "flexible": 0,
        "flexible_after": 0,
        "first_canasta": 0,
        "opened": 0,
        "threat": 0,
    }
    weights = KanasticWeights(group=(0,), golds=(0,), near=1, **nothing)
    view = kanastic_table(hands=[held], melds=[[meld]], seats=2).position
    assert KanasticEvaluator(weights).standing(view, Seat(0)) == pytest.approx(worth)


def test_the_worth_of_a_last_wild_card_depends_on_hands_and_seats() -> None:
    """The worth does not depend on what the evaluator was asked before.

    An evaluator that is asked about several seats and hands gives the same answers as a new
    evaluator for each question.
    """
    hands = ["Sw 9h", "4h 4c", "Sw 4c 5c", "4h"]
    table = table_of("kanastic", hands=hands, melds=[[EIGHTS], [TENS]], pile="4s")
    view = table.position
    fewer = evolve(view, hands=(*view.hands[:3], view.hands[3][:0]))
    weights = KanasticWeights(doubling=0.5)
    asked, told = KanasticEvaluator(weights), []
    more = evolve(view, laid=(view.laid[0], evolve(view.laid[1], melds=())))
    for one, seat in ((view, 0), (view, 2), (fewer, 2), (fewer, 0), (view, 0), (more, 0)):
        new = KanasticEvaluator(weights).standing(one, Seat(seat))
        assert asked.standing(one, Seat(seat)) == new
        told.append(new)
    plain = KanasticEvaluator(evolve(weights, doubling=0))
    assert len(set(told)) == 5
    assert told[0] > plain.standing(view, Seat(0))
    assert asked.standing(view, Seat(1)) == plain.standing(view, Seat(1)), (
        "seat 1 has no wild card in its hand"
    )
    early = table_of("kanastic", hands=hands, melds=[["9s 9d 9c"]], pile="4s").position
    assert asked.standing(early, Seat(0)) == plain.standing(early, Seat(0)), (
        "a side without a canasta cannot go out"
    )


@pytest.mark.parametrize(("melds", "worth"), [([QUEENS], 20), ([], 0)])
def test_only_a_side_that_has_melded_values_the_pile(melds: list[str], worth: float) -> None:
    view = table_of("kanastic", melds=[melds], pile="4s 5s 6s").position
    assert KanasticEvaluator(KanasticWeights(pile=10)).pile(view) == worth


@pytest.mark.parametrize(
    ("hand", "together"),
    [
        ("Kc Ar", 0),
        ("4g", 1),
        ("4g Tg", 2),
        ("4g Jg", 1),
        ("4g 8g Jg Kg", 3),
        ("4g 5g Ar", 2),
        ("4g 5g 6g Ar", 4),
        ("4g 5g 6g Ar Ar Ar Ar", 6),
    ],
)
def test_gold_cards_close_together_have_a_value_and_three_of_them_let_artifacts_count(
    hand: str, together: int
) -> None:
    worth = added(alone(hand), golds=tuple(range(0, 80, 10)))
    assert worth == pytest.approx(10 * together)


@pytest.mark.parametrize(
    ("hand", "distinct", "size"),
    [
        ("4h 4d 4c", True, 3),
        ("4h 4h 4c", True, 2.5),
        ("4h 4h 4c", False, 3),
        ("4h 4h", True, 1.5),
        ("4h 4h 4c 4c", True, 3.5),
        ("4h", True, 1),
    ],
)
def test_a_group_without_enough_suits_counts_less(hand: str, distinct: bool, size: float) -> None:
    """Each missing suit takes half a card away: 4h 4h lacks one suit, and so counts 1.5."""
    worth = added(alone(hand, distinct_suits=distinct), group=(0, 10, 20, 30, 40))
    assert worth == pytest.approx(10 * size)


@pytest.mark.parametrize(
    ("card", "theirs", "given", "danger"),
    [
        ("9h", [], {}, 0.4 * 30),
        ("9h", [QUEENS], {}, 0.4 * 12 * 4),
        ("Qc", [QUEENS], {}, 0.0),  # a side may have only one meld of each rank
        ("Sh", [QUEENS], {}, 0.0),  # a stop card blocks the pile
        ("9h", [QUEENS], {"discards": "Sh 4s 5s"}, 0.4 * 12 * 4),
        ("9h", [QUEENS], {"discards": "4s Sh 5s"}, 0.0),
        ("9h", [QUEENS], {"discards": "4s 5s Sh"}, 0.0),
        ("9h", [QUEENS], {"waiting": frozenset({Seat(1)})}, 0.0),
        ("9h", [QUEENS], {"waiting": frozenset({Seat(2)})}, 0.4 * 12 * 4),
        ("9h", [QUEENS], {"held": "+3"}, 0.0),
        ("9h", [QUEENS], {"stock": "+3"}, 0.0),
        ("9h", [QUEENS], {"held": "+4", "stock": "+4"}, 0.4 * 12 * 4),
    ],
)
def test_the_danger_of_a_discard_follows_the_ways_to_take_the_pile(
    card: str, theirs: list[str], given: dict[str, Any], danger: float
) -> None:
    given = {"held": "+9", "stock": "+40", **given}
    hands = [f"{card} 4d", given.pop("held"), "+9", "+9"]
    view = kanastic_table(hands=hands, melds=[[], theirs], pile="4s 5s 6s", **given).position
    evaluator = KanasticEvaluator(KanasticWeights(uncounted=0.4, top=30, denied=12))
    thrown = view.hand_cards(Seat(0))[0]
    assert evaluator.danger(view, Seat(0), thrown) == pytest.approx(danger)


@pytest.mark.parametrize(
    ("hand", "pile", "factor"),
    [
        ("Sw", "4s", 2),
        ("Ar", "4s", 2),
        ("9h", "4s", 1),
        ("Sw 9h", "4s", 1),
        ("", "4s Sw", 2),
        ("", "Sw 4s", 1),
        ("", "", 1),
    ],
)
def test_points_double_if_the_last_card_is_wild(hand: str, pile: str, factor: int) -> None:
    view = table_of("kanastic", hands=[hand, "4h"], melds=[[EIGHTS], [TENS]], pile=pile).position
    points, plain = (
        KanasticEvaluator(KanasticWeights(doubling=worth)).points_now(view, Seat(0))
        for worth in (0.1, 0)
    )
    assert points == [factor * one for one in plain]


@pytest.mark.parametrize("total", [0, 1500, 3000, 5000])
def test_a_hand_that_can_open_has_full_readiness(total: int) -> None:
    """A hand that can open gets the whole value of 100, and any other hand a part of it."""
    able = 0
    for seed in range(60):
        codes = [f"{rank}{suit}" for rank in "459TJ" for suit in "hdc" for _ in range(2)]
        hand = random.Random(seed).sample([*codes, *6 * ["Sw"], *3 * ["Ar"]], 13)
        view = alone(" ".join(hand), total)
        worth = added(view, opening=100)
        opens = any(isinstance(move, LayMelds) for move in view.legal_moves(Seat(0)))
        able += opens
        assert 0 < worth <= 100
        assert worth == pytest.approx(100) or not opens
    assert able > 0


@pytest.mark.parametrize(
    ("total", "hand", "nearer"),
    [
        (0, "Ks Kh 4d 5d", "Ks Kh Kd 4d"),
        (1500, "Ks Kh Kd Sw 4h", "Ks Kh Kd Kc Sw"),
        (3000, "Ks Kh Kd Sw Sw 4h", "Ks Kh Kd Ar Sw 4h"),
        (5000, "Ks Kh Kd Qs Qh Qd Sw", "Ks Kh Kd Kc Qs Qh Sw"),
        (5000, "Ks Kh Kd Kc Sw Qh", "Ks Kh Kd Kc Sw Sw"),
    ],
)
def test_a_card_that_brings_the_opening_nearer_raises_readiness(
    total: int, hand: str, nearer: str
) -> None:
    less, more = (added(alone(codes, total), opening=100) for codes in (hand, nearer))
    assert less < more


@pytest.mark.parametrize(
    ("total", "hand", "share"),
    [
        (0, "Ks 4d Sw", 12.5 / 45),  # a Sword has no meld to join: it counts half
        (0, "Ks Kh 4d", 10 / 45),  # a pair counts half of its points: 10 of 20
        (5000, "Sw Ar", 2 / 7),
        (5000, "Ks Kh Sw", 3 / 7),
    ],
)
def test_a_hand_that_cannot_open_yet_is_partly_ready(total: int, hand: str, share: float) -> None:
    """The value is 100 times the square of `share`: the part of the opening that the hand has."""
    assert added(alone(hand, total), opening=100) == pytest.approx(100 * share**2)
