"""The bench of the opponents counts correctly, and repeats its matches with the same seed."""

import random
from collections import Counter
from itertools import pairwise

import pytest
from attrs import evolve

from client.bots.chooser import Budget, Chooser
from client.bots.levels import LEVELS, opponent
from tests.bench import opponents as bench_opponents
from tests.bench.opponents import (
    PlannedMatch,
    Played,
    levels_with_blunders,
    play,
    run,
    wilson,
)


@pytest.mark.parametrize(
    ("won", "matches", "low", "high"),
    [(0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (50, 100, 0.4038, 0.5962), (1, 1, 0.2065, 1.0)],
)
def test_wilson_gives_known_intervals(won: int, matches: int, low: float, high: float) -> None:
    assert wilson(won, matches) == pytest.approx((low, high), abs=1e-4)


def test_a_planned_match_is_played_the_same_way_every_time() -> None:
    planned = PlannedMatch("canastra", 2, ("easy", "random"), first=0, seed="1")
    first, second = play(planned), play(planned)
    assert evolve(first, seconds=((), ())) == evolve(second, seconds=((), ()))
    assert first.rounds == 1
    assert all(first.seconds)


def test_exchanging_sides_keeps_the_points_of_a_deal() -> None:
    planned = PlannedMatch("canastra", 2, ("easy", "easy"), first=0, seed="2")
    here, there = play(planned), play(evolve(planned, first=1))
    assert here.points == there.points[::-1]
    assert here.won is not there.won


def test_bench_of_opponents_shows_that_the_better_level_wins() -> None:
    bench, *_ = run("canastra", 2, 10, ("middle", "random"), seed=1)
    assert (bench["game"], bench["levels"], bench["fair"]) == (
        "canastra",
        ("middle", "random"),
        0.5,
    )
    assert bench["won"] >= 8
    assert bench["low"] < bench["share"] == bench["won"] / 10 <= bench["high"]
    better, worse = bench["points_a_round"]
    assert better > worse


def test_the_number_of_imagined_moves_is_used_and_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    budgets = []

    def noted(_level: str, name: str, rng: random.Random, budget: Budget) -> Chooser:
        budgets.append(budget)
        return opponent("easy", name, rng)

    monkeypatch.setattr(bench_opponents, "opponent", noted)
    bench, *_ = run("canastra", 2, 1, ("patient", "strong"), seed=1, processes=1, imagined=1234)
    assert budgets == 2 * [Budget(moves=1234)]
    assert bench["imagined"] == 1234


def test_blunders_of_a_level_are_summed_over_its_pairings_and_have_an_interval() -> None:
    planned = PlannedMatch("canastra", 2, ("middle", "easy"), first=0, seed="1")
    one = Played(won=True, points=(1, 0), rounds=1, seconds=((1,), (1,)), blunders=(Counter(),) * 2)
    blunders = Counter(turns=90, stranded=1, wild=4), Counter(turns=10, wild=4, wasted=2)
    above = planned, evolve(one, blunders=blunders)
    below = evolve(planned, levels=("easy", "random")), evolve(one, blunders=blunders)
    _middle, easy, _random = levels_with_blunders([above, below])
    assert easy == {
        "game": "canastra",
        "level": "easy",
        "players": 2,
        "turns": 100,
        "stranded": 1,
        "stranded_rate": wilson(1, 100),
        "wild": 8,
        "wasted": 2,
        "wasted_rate": wilson(2, 8),
        # Without partners nobody asks to go out.
        "yes": 0,
        "hasty": 0,
        "hasty_rate": ("-",),
    }


def test_by_default_each_level_meets_the_one_below_it(monkeypatch: pytest.MonkeyPatch) -> None:
    met: list[tuple[str, str]] = []

    def noted(_play: object, planned: list[PlannedMatch], **_: object) -> list[None]:
        met.extend(match.levels for match in planned)
        return [None for _match in planned]

    monkeypatch.setattr(bench_opponents, "on_all_cores", noted)
    monkeypatch.setattr(bench_opponents, "pairing", lambda _matches: {})
    monkeypatch.setattr(bench_opponents, "levels_with_blunders", lambda _matches: ())
    run("canastra", 2, 1, None, seed=1, processes=1)
    assert met == [(LEVELS[0], "random"), *((above, below) for below, above in pairwise(LEVELS))]


def test_without_partners_the_first_level_sits_on_every_side_in_turn() -> None:
    # Between equal levels exactly one side wins the deal, wherever the first level sits.
    bench, *_ = run("canasta", 3, 3, ("easy", "easy"), seed=1, processes=1)
    assert (bench["won"], bench["drawn"], bench["share"]) == (1, 0, pytest.approx(bench["fair"]))
    assert 0 < bench["mean_ms"] <= bench["worst_ms"]


def test_matches_depend_on_the_seed_and_not_on_the_processes() -> None:
    first, same, other = (
        [
            {name: figure for name, figure in row.items() if not name.endswith("_ms")}
            for row in run("canastra", 2, 2, ("easy", "random"), seed, processes)
        ]
        for seed, processes in ((1, 1), (1, 2), (2, 1))
    )
    assert first == same != other
