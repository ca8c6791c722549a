"""The evaluator of Canastra: cards that belong together, runs, and deads (hands set aside)."""

from typing import Any

import pytest

from client.bots.games.canastra import CanastraEvaluator, CanastraWeights
from engine.slots import Seat
from tests.client.bots.hidden_cards import having_shown, seen_by_0
from tests.engine.canastra.canastra_tables import canastra_table

ME = Seat(0)
SEVEN = "4h 5h 6h 7h 8h 9h Th"


def judge(**weights: Any) -> CanastraEvaluator:
    return CanastraEvaluator(CanastraWeights(**{"threat": 0, "near": 1, "dead_near": 0, **weights}))


@pytest.mark.parametrize(
    ("hand", "worth"),
    [
        ("4h 9c", 0),
        ("4h 5h", 7),  # neighbours
        ("4h 6h", 4),  # one card is missing between them
        ("4h 5h 6h", 7 + 7 + 4),
        ("4h 5c", 0),  # of different suits
        ("4h 5h 5h", 7),
        ("Kh Ah", 7),
        ("Qh Ah", 4),
        ("Qh Kh Ah", 7 + 7 + 4),
        ("Ah 3h", 4),
        ("Kh Ah 3h", 7),
        ("Kc Kh", 6),  # aces, kings and threes also form sets
        ("Kc Kh Ks", 12),
        ("9c 9h", 0),
        ("2h 9c", 25),  # a wild card
        ("2h 2d 2c 2s", 75),
    ],
)
def test_cards_that_belong_together_and_wild_cards_have_a_value(hand: str, worth: float) -> None:
    view = canastra_table(hands=[hand]).position
    assert judge().standing(view, ME) == worth


@pytest.mark.parametrize(
    ("runs", "hand", "worth"),
    [
        (["4h 5h 6h"], "9c", 30 + 0.1 * 300),
        (["4h 5h 6h"], "7h", 60 + 0.7 * 55),  # the fourth card adds 10 and 0.15 * 300
        (["4h 5h 6h"], "7h 7h", 60 + 0.7 * 55),
        (["4h 5h 6h"], "7h 3h 8h", 60 + 2 * 0.7 * 55 + 7),
        (["4h 5h 6h", "7h 8h 9h"], "Th", 2 * 60 + 0.7 * 55),
        ([SEVEN], "Jh", 370 + 0.7 * 10),
        (["4h 5h 2c 7h"], "9c", 40 + 0.25 * 200),
        (["4h 5h 2c 7h 8h 9h Th"], "9c", 70 + 200),
        (["Ah 2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh Ah"], "9c", 140 + 1000),
    ],
)
def test_a_run_is_worth_a_share_of_its_canastra_and_more_with_cards_that_may_join_it(
    runs: list[str], hand: str, worth: float
) -> None:
    view = canastra_table(hands=[hand], melds=[runs]).position
    assert judge().standing(view, ME) == pytest.approx(worth)


@pytest.mark.parametrize(
    ("given", "worth"),
    [
        ({"deads": ()}, 0),
        ({"deads": (), "took_dead": (0,)}, 100),
        ({"deads": (), "took_dead": (1,)}, 0),
        ({"deads": ("+11", "+11")}, 80 * (1 - 2 / 11)),  # two of eleven cards are left in hand
    ],
)
def test_a_dead_counts_when_it_is_taken_up_and_partly_before(given: Any, worth: float) -> None:
    view = canastra_table(hands=["9c 4d"], **given).position
    assert judge(dead=100, dead_near=80).standing(view, ME) == pytest.approx(worth)


def test_the_danger_of_a_card_is_its_use_to_the_next_player() -> None:
    table = canastra_table(hands=["7h Kc 2s", "5c 9d 9s"], melds=[[], ["4h 5h 6h"]], pile="5d 8c")
    view = seen_by_0(having_shown(table, 1, "9s"))
    seven, king, two = view.hand_cards(ME)
    evaluator = judge(given=0.5, guess=0, wild_given=33)
    assert evaluator.danger(view, ME, seven) == pytest.approx(0.5 * 55)
    assert evaluator.danger(view, ME, king) == 0
    assert evaluator.danger(view, ME, two) == 33
    shown = {"4d": 7.0, "6d": 7.0, "7c": 7.0, "Ts": 7.0, "7d": 4.0, "Tc": 4.0, "Js": 4.0, "9d": 0.0}
    for code, helped in shown.items():
        card = next(card for card in view.deck if card.code == code)
        assert evaluator.danger(view, ME, card) == pytest.approx(0.5 * helped), code
    # There are two cards each of 5h, 6h, 8h and 9h, which are near 7h in a run. One 5h and one 6h
    # are on the table.
    assert judge(given=0, guess=1).danger(view, ME, seven) == 2 * 4 - 2
    # Seven of the eight kings are hidden, and both copies of Ac, Qc, Jc and 2c.
    assert judge(given=0, guess=1).danger(view, ME, king) == 7 + 2 * 4
