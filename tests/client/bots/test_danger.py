"""The danger of a discard, and the worth of red threes, in games with melds of like cards."""

import pytest
from attrs import evolve

from client.bots.evaluator import Evaluator
from client.bots.evaluator_registry import evaluator_with, weights_of
from client.bots.like_evaluator import LikeEvaluator
from client.bots.weights import LikeWeights, Tuning
from engine.slots import Seat
from tests.engine.positions import table_of

ME = Seat(0)
SEVENTH = "As Ah Ad Ac As Ah Ad"


def judge(game: str) -> LikeEvaluator:
    """Return an evaluator that assumes a chance of 0.4 that a player holds a given pair."""
    weights = weights_of(game)[Tuning.BY_HAND]
    assert isinstance(weights, LikeWeights)
    evaluator: Evaluator = evaluator_with(
        game, evolve(weights, counts=False, uncounted=0.4, lone=0.3, given=2, pile=10)
    )
    assert isinstance(evaluator, LikeEvaluator)
    return evaluator


@pytest.mark.parametrize(
    ("game", "card", "theirs", "pile", "total", "chance"),
    [
        ("canasta", "2s", "Kh Kd Ks", "4s 5h", 0, 0.0),
        ("canasta", "3s", "Kh Kd Ks", "4s 5h", 0, 0.0),
        ("canasta", "Kc", "Kh Kd Ks", "4s 5h", 0, 1.0),
        ("canasta", "Kc", "Kh Kd Ks", "4s 2h", 0, 0.4),
        ("canasta", "Qc", "Kh Kd Ks", "4s 5h", 0, 0.4 + 0.6 * 0.3),
        ("canasta", "Qc", "Kh Kd Ks", "4s 2h", 0, 0.4),
        ("canasta", "Qc", "", "4s 5h", 0, 0.4 * 35 / 50),
        ("canasta", "Qc", "", "4s 5h", 1500, 0.4 * 35 / 90),
        ("canasta", "Qc", "", "4s 5h", -100, 0.4),
        ("samba", "2s", "Kh Kd Ks", "4s 5h", 0, 0.0),
        ("samba", "Kc", "Kh Kd Ks", "4s 5h", 0, 1.0),
        ("samba", "Kc", "Kh Kd Ks", "4s 2h", 0, 0.4),
        ("samba", "Qc", "Kh Kd Ks", "4s 5h", 0, 0.4),
        ("samba", "Qc", "", "4s 5h", 0, 0.4 * 35 / 50),
        ("samba", "Qc", "", "4s 5h", -100, 0.4),
        ("hand_and_foot", "2s", "Kh Kd Ks", "4s 5h", 0, 0.0),
        ("hand_and_foot", "Kc", "Kh Kd Ks", "4s 5h", 0, 0.4),
        ("hand_and_foot", "Kc", "Kh Kd Ks Kc", "4s 5h", 0, 0.4),
        ("hand_and_foot", "Kc", "Kh Kd Ks Kc Kh", "4s 5h", 0, 0.0),
        ("hand_and_foot", "Qc", "Kh Kd Ks Kc Kh", "4s 5h", 0, 0.4),
        ("hand_and_foot", "Qc", "", "4s 5h", 0, 0.4 * 0.5),
    ],
)
def test_danger_is_the_chance_that_the_next_seat_takes_the_pile(
    game: str, card: str, theirs: str, pile: str, total: int, chance: float
) -> None:
    table = table_of(
        game,
        seats=2,
        hands=[f"{card} 9d", "+9"],
        melds=[["Th Td Tc"], [theirs] if theirs else []],
        pile=pile,
        totals=(0, total),
        stock="+40",
    )
    view, evaluator = table.position, judge(game)
    thrown = view.hand_cards(ME)[0]
    # The weights `given` and `pile`, times the number of cards taken with the discard.
    worth = 2 * 10 * (len(view.takes) + 1)
    assert evaluator.danger(view, ME, thrown) == pytest.approx(worth * chance)
    assert evaluator.pile(view) == 10 * len(view.takes)


@pytest.mark.parametrize(
    ("game", "melds", "points"),
    [
        ("canasta", [], -100.0),
        ("canasta", ["Kh Kd Ks"], 200.0),
        ("samba", ["Kh Kd Ks"], 0.3 * 200),
        ("samba", [SEVENTH, SEVENTH.replace("A", "Q")], 200.0),
        ("hand_and_foot", [], 0.5 * 200),
        ("hand_and_foot", ["Kh Kd Ks"], 200.0),
    ],
)
def test_red_threes_count_less_as_long_as_they_may_count_against_their_side(
    game: str, melds: list[str], points: float
) -> None:
    view = table_of(game, seats=2, melds=[melds], bonus=["3h 3d"]).position
    assert judge(game).red_threes(view, view.laid[0]) == points
