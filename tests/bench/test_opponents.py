"""The bench of the opponents: its counts, and its repeatability."""

import json
import random
from itertools import pairwise

import pytest
from attrs import evolve

from client.bots.chooser import Budget, Chooser
from client.bots.levels import LEVELS, opponent
from tests.bench import level_match
from tests.bench import opponents as bench_opponents
from tests.bench.level_match import Blunders, PlannedMatch, play
from tests.bench.opponents import run, wilson
from tests.bench.opponents_tables import blunders_of, render


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


def test_bench_of_opponents_shows_that_the_better_level_wins(
    capsys: pytest.CaptureFixture[str],
) -> None:
    (bench,) = run("canastra", 2, 10, ("middle", "random"), seed=1)
    assert bench.won >= 8
    assert bench.low < bench.share <= bench.high
    assert bench.fair == 0.5
    assert bench.points_a_round[0] > bench.points_a_round[1]
    text = render([bench])
    assert "middle - random" in text
    assert f" {bench.won} " in text
    assert f" {bench.share:.1%} " in text
    assert f"{bench.low:.1%} - {bench.high:.1%}" in text
    (pairing,) = json.loads(bench_opponents.as_json([bench]))["pairings"]
    assert (pairing["game"], pairing["won"]) == ("canastra", bench.won)


def test_the_number_of_imagined_moves_is_used_and_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    budgets = []

    def noted(_level: str, name: str, rng: random.Random, budget: Budget) -> Chooser:
        budgets.append(budget)
        return opponent("easy", name, rng)

    monkeypatch.setattr(level_match, "opponent", noted)
    (bench,) = run("canastra", 2, 1, ("patient", "strong"), seed=1, processes=1, imagined=1234)
    assert budgets == 2 * [Budget(moves=1234)]
    assert " 1,234 " in render([bench])


def test_blunders_of_a_level_are_summed_over_its_pairings_with_an_interval() -> None:
    (one,) = run("canastra", 2, 1, ("easy", "random"), seed=1, processes=1)
    blunders = (Blunders(turns=90, stranded=1, wild=4), Blunders(turns=10, wild=4, wasted=2))
    above = evolve(one, levels=("middle", "easy"), blunders=blunders)
    below = evolve(one, levels=("easy", "random"), blunders=blunders)
    easy = blunders_of([above, below])["canastra", 2, "easy"]
    assert (easy.turns, easy.stranded, easy.wild, easy.wasted) == (100, 1, 8, 2)
    (line,) = [
        line for line in render([above, below]).split("\n\n")[1].splitlines() if "  easy " in line
    ]
    low, high = wilson(1, 100)
    assert f" 100      1.0%   {low:.1%} - {high:.1%} " in line
    assert " 8        25.0%  " in line
    assert line.split()[-3:] == ["0", "–", "–"], "without partners nobody asks to go out"


def test_by_default_each_level_meets_the_one_below_it(monkeypatch: pytest.MonkeyPatch) -> None:
    met: list[tuple[str, str]] = []

    def noted(_play: object, planned: list[PlannedMatch], **_: object) -> list[None]:
        met.extend(match.levels for match in planned)
        return []

    monkeypatch.setattr(bench_opponents, "on_all_cores", noted)
    monkeypatch.setattr(bench_opponents, "_bench", lambda *_: None)
    run("canastra", 2, 1, None, seed=1, processes=1)
    assert met == [(LEVELS[0], "random"), *((above, below) for below, above in pairwise(LEVELS))]


def test_without_partners_the_first_level_sits_on_every_side_in_turn() -> None:
    # Between equal levels exactly one side wins the deal, wherever the first level sits.
    (bench,) = run("canasta", 3, 3, ("easy", "easy"), seed=1, processes=1)
    assert (bench.won, bench.drawn) == (1, 0)
    assert bench.share == pytest.approx(bench.fair)
    assert 0 < bench.mean_ms[0] <= bench.worst_ms[0]


def test_matches_depend_on_the_seed_and_not_on_the_processes() -> None:
    first, same, other = (
        run("canastra", 2, 2, ("easy", "random"), seed, processes)[0]
        for seed, processes in ((1, 1), (1, 2), (2, 1))
    )
    first, same = (evolve(bench, mean_ms=(0, 0), worst_ms=(0, 0)) for bench in (first, same))
    assert first == same
    assert first.points_a_round != other.points_a_round
