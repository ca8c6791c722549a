"""Counting (B56-B65)."""

import pytest
from attrs import evolve

from engine.games import GAMES
from engine.match import Match
from engine.score_sheet import Item, ScoreSheet
from engine.sentences import N_
from tests.engine.canastra.canastra_tables import canastra_table
from tests.engine.canastra.naive_canastra import run_points

SEVEN = "5h 6h 7h 8h 9h Th Jh"
WHOLE = "As 2s 3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ks As"


def scores(run: str) -> dict[str, int]:
    """Return the items of a player who went out with this run on the table."""
    table = canastra_table(hands=["5d"], melds=[[run]], deads=[])
    return table.apply(table.discard("5d")).scored()


def test_b56_every_card_in_runs_counts_ten() -> None:
    assert scores("5s 6s 2h") == {"cards in runs": 30, "going out": 100}


def test_b57_a_canastra_is_dirty_or_clean() -> None:
    assert scores("5h 6h 7h 8h 9h Th") == {"cards in runs": 60, "going out": 100}
    assert scores(SEVEN)["clean canastras"] == 300
    assert scores(SEVEN.replace("8h", "2c"))["dirty canastras"] == 200


def test_b57_one_bonus_for_a_run_and_one_for_each_run() -> None:
    table = canastra_table(hands=["5d"], melds=[[SEVEN, SEVEN.replace("h", "s"), WHOLE]], deads=[])
    items = table.apply(table.discard("5d")).scored()
    assert items == {
        "clean canastras": 600,
        "real canastras": 1000,
        "cards in runs": 280,
        "going out": 100,
    }


def test_b58_the_natural_two_leaves_a_canastra_clean() -> None:
    assert scores("As 2s 3s 4s 5s 6s 7s")["clean canastras"] == 300
    assert scores("As 2s 3s 2h 5s 6s 7s")["dirty canastras"] == 200
    assert scores("4s 5s 6s 7s 8s 9s 2s")["dirty canastras"] == 200


def test_b59_the_real_canastra_is_whole_and_without_wild_card() -> None:
    assert scores(WHOLE) == {"real canastras": 1000, "cards in runs": 140, "going out": 100}
    assert scores(WHOLE.replace("9s", "2d"))["dirty canastras"] == 200
    assert scores(WHOLE.removesuffix(" As"))["clean canastras"] == 300


def test_b60_a_run_of_one_number_is_clean_or_dirty() -> None:
    kings = "Ks Ks Kh Kh Kd Kd Kc"
    assert scores(kings)["clean canastras"] == 300
    assert scores(f"{kings} 2h")["dirty canastras"] == 200
    assert scores(f"{kings} Kc")["clean canastras"] == 300


def test_b61_b62_going_out_counts_and_the_other_pays_for_their_cards() -> None:
    table = canastra_table(hands=["5d", "4c 6c 2h As"], deads=[], melds=[[], ["Kh Ks Kd"]])
    ended = table.apply(table.discard("5d"))
    assert ended.scored(0) == {"going out": 100}
    assert ended.scored(1) == {"cards in runs": 30, "cards in hand": -40}
    assert ended.position.sheet is not None
    assert ended.position.sheet.closer == 0
    assert ended.position.sheet.totals == (100, -10)


def test_every_item_names_its_count_and_clause() -> None:
    runs = [SEVEN, "5c 6c 7c 8c 9c Tc 2c", WHOLE]
    table = canastra_table(hands=["5d", "4c 6c"], deads=[], melds=[runs])
    sheet = table.apply(table.discard("5d")).position.sheet
    assert sheet is not None
    assert sheet.sides == (
        (
            Item(N_("real canastras"), 1, 1000, "B59"),
            Item(N_("clean canastras"), 1, 300, "B57"),
            Item(N_("dirty canastras"), 1, 200, "B57"),
            Item(N_("cards in runs"), 28, 280, "B56"),
            Item(N_("going out"), 1, 100, "B61"),
        ),
        (Item(N_("cards in hand"), 2, -20, "B62"),),
    )


def test_b61_nothing_is_counted_for_taking_a_dead() -> None:
    table = canastra_table(hands=["5d", "4c"], stock="", deads=["+11"])
    assert table.apply(table.discard("5d")).scored(0) == {}


def test_b63_an_exhausted_game_gives_no_bonus_and_costs_nothing() -> None:
    table = canastra_table(
        hands=["5d 7d", "4c 6c"], stock="", deads=[], melds=[["Kh Ks Kd"], ["Ah As Ad"]]
    )
    ended = table.apply(table.discard("5d"))
    assert ended.scored(0) == {"cards in runs": 30}
    assert ended.scored(1) == {"cards in runs": 30}


def test_b64_a_dead_not_taken_costs_nothing() -> None:
    table = canastra_table(hands=["5d", "4c"], took_dead=[0], deads=["+11"])
    ended = table.apply(table.discard("5d"))
    assert ended.scored(1) == {"cards in hand": -10}


@pytest.mark.parametrize(
    ("points", "winner"), [((300, 200), 0), ((-10, 90), 1), ((150, 150), None)]
)
def test_b65_most_points_win_and_equal_points_are_a_draw(
    points: tuple[int, int], winner: int | None
) -> None:
    game = GAMES["canastra"]
    start = Match.start(game, game.options(), 2)
    sheet = ScoreSheet(((), ()), None)
    over = evolve(start, totals=points, sheets=(sheet,))
    assert over.over
    assert over.winner == winner


def test_b64_the_second_scorer_agrees_on_a_rich_table() -> None:
    runs = [SEVEN, "2s 3s 4s 5s 6s 7s 2h", "Ks Kh Kd 2c"]
    table = canastra_table(hands=["5d", "4c 9d"], deads=[], melds=[runs])
    ended = table.apply(table.discard("5d"))
    assert ended.position.sheet is not None
    expected = 100 + sum(run_points(run.split()) for run in runs)
    assert ended.position.sheet.totals == (expected, -20) == (780, -20)
