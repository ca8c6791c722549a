"""Learning weights: which weights change, and steps towards those that win."""

import random

import pytest
from attrs import asdict

from client.bots.evaluator_registry import evaluator_with, weights_of
from client.bots.weights import LikeWeights, Tuning
from engine.games import GAMES
from engine.kanastic.position import KanasticPosition
from engine.slots import Seat, Side
from tests import learn_weights
from tests.learn_weights import changed, places, round_won_by, step, totals_before

WEIGHTS = weights_of("canasta")[Tuning.BY_TRIAL]


def test_changed_multiplies_each_weight_by_its_factor() -> None:
    start = places(WEIGHTS)
    same = asdict(changed(WEIGHTS, dict.fromkeys(start, 0.0)))
    for (name, place), value in start.items():
        assert (same[name] if place is None else same[name][place]) == pytest.approx(value)
    # The factors are given by their logarithms: that of 2 is 0.6931.
    double = changed(
        WEIGHTS, {**dict.fromkeys(start, 0.0), ("wild", None): 0.6931, ("group", 2): -0.6931}
    )
    assert isinstance(double, LikeWeights)
    assert double.wild == pytest.approx(90, abs=0.1)
    assert double.group[2] == pytest.approx(12.5, abs=0.1)
    assert double.counts is True


def test_a_weight_of_zero_is_not_learnt() -> None:
    assert ("out_margin", None) not in places(WEIGHTS)
    assert ("progress", 0) not in places(WEIGHTS)


def test_learning_rounds_begin_in_every_stage() -> None:
    position = GAMES["kanastic"].position
    options = GAMES["kanastic"].options()
    met = set()
    for seed in range(40):
        start = position.start(options, 2, Seat(0), totals_before(options, 2, random.Random(seed)))
        assert isinstance(start, KanasticPosition)
        met |= {start.stage_of(Side(side)).name for side in range(2)}
    assert met == {"I", "II", "III", "IV"}


def test_a_round_of_equal_evaluators_repeats_its_result() -> None:
    evaluator = evaluator_with("canasta", WEIGHTS)
    here = round_won_by(GAMES["canasta"], 2, 7, (evaluator, evaluator))
    assert here == round_won_by(GAMES["canasta"], 2, 7, (evaluator, evaluator))
    assert here != 0


def test_a_step_raises_the_weight_that_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    def wins_with_wild_cards(_game: object, _players: int, _seed: int, evaluators: tuple) -> int:  # type: ignore[type-arg]
        ahead: float = evaluators[0].weights.wild - evaluators[1].weights.wild
        return round(100 * ahead)

    monkeypatch.setattr(learn_weights, "round_won_by", wins_with_wild_cards)
    found = step("canasta", 2, WEIGHTS, dict.fromkeys(places(WEIGHTS), 0.0), random.Random(1))
    assert max(found, key=found.__getitem__) == ("wild", None)
    assert found["wild", None] > 4 * max(abs(v) for k, v in found.items() if k != ("wild", None))
