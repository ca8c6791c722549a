"""The bench of the opponents' strength: what it counts, and that it can be repeated."""

import json

import pytest
from attrs import evolve

from client.benches import opponents as bench_opponents
from client.benches.opponents import Table, play, run, wilson
from client.main import main


@pytest.mark.parametrize(
    ("won", "matches", "low", "high"),
    [(0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (50, 100, 0.4038, 0.5962), (1, 1, 0.2065, 1.0)],
)
def test_wilson_intervals(won: int, matches: int, low: float, high: float) -> None:
    assert wilson(won, matches) == pytest.approx((low, high), abs=1e-4)


def test_a_table_is_played_the_same_way_every_time() -> None:
    table = Table("canastra", 2, ("easy", "random"), first=0, seed="1")
    first, second = play(table), play(table)
    assert evolve(first, seconds=((), ())) == evolve(second, seconds=((), ()))
    assert first.rounds == 1
    assert all(first.seconds)


def test_the_first_level_changes_sides_and_keeps_its_points() -> None:
    table = Table("canastra", 2, ("easy", "easy"), first=0, seed="2")
    here, there = play(table), play(evolve(table, first=1))
    assert here.points == there.points[::-1]
    assert here.won is not there.won


def test_the_better_level_wins(capsys: pytest.CaptureFixture[str]) -> None:
    (bench,) = run("canastra", 2, 10, "middle,random", seed=1)
    assert bench.won >= 8
    assert bench.low < bench.rate <= bench.high
    assert bench.points_a_round[0] > bench.points_a_round[1]
    text = bench_opponents.render([bench])
    assert "middle - random" in text
    assert f"{bench.rate:.1%}" in text
    (pairing,) = json.loads(bench_opponents.as_json([bench]))["pairings"]
    assert (pairing["game"], pairing["won"]) == ("canastra", bench.won)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--levels", "middle"], "--levels are two"),
        (["--levels", "middle,best"], "There is no level 'best'"),
        (["--matches", "0"], "--matches is a number"),
        (["--game", "canasta", "--players", "5"], "5 players make 5 sides"),
        (["--game", "canastra", "--players", "4"], "Canastra is for 2 players, not 4."),
    ],
)
def test_bad_arguments_are_answered_with_a_sentence(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bench", "opponents", *arguments]) == 2
    assert sentence in capsys.readouterr().err
