"""The value of the end of a round that may be the end of the match."""

import pytest
from attrs import evolve

from client.bots.evaluator_registry import evaluator_of
from client.bots.going_out_playouts import round_worth
from client.bots.match_end import MATCH, ONLY_ROUND, match_won, worth_ahead
from client.bots.weights import Tuning
from engine.games import GAMES
from engine.position import Position
from engine.slots import Seat, Side
from tests.engine.positions import table_of

US, THEM = Side(0), Side(1)


def position(game: str, totals: tuple[int, int], rounds: int) -> Position:
    table = table_of(game, seats=2, hands=["", ""], totals=totals)
    return evolve(table.position, options=GAMES[game].options(rounds=rounds))


@pytest.mark.parametrize(
    ("totals", "rounds", "points", "won"),
    [
        ((4800, 4000), 0, (200, 0), True),
        ((4000, 4800), 0, (0, 200), False),
        ((4800, 4000), 0, (100, 0), None),
        ((4800, 4800), 0, (300, 300), None),  # a tie at the target: another round
        ((0, 0), 1, (10, 0), True),
        ((0, 0), 1, (0, 10), False),
        ((0, 0), 1, (10, 10), None),
        ((4800, 4000), 3, (900, 0), None),  # the target ends no match of three rounds
    ],
)
def test_a_match_is_won_at_its_target_or_after_its_only_round(
    totals: tuple[int, int], rounds: int, points: tuple[int, int], won: bool | None
) -> None:
    view = position("canasta", totals, rounds)
    assert match_won(view, US, points) is won
    assert match_won(view, THEM, points) is (None if won is None else not won)


def test_in_a_match_of_one_round_a_win_counts_regardless_of_its_margin() -> None:
    view = position("canastra", (0, 0), 1)
    assert worth_ahead(view, 10, True) == worth_ahead(view, 900, True) == ONLY_ROUND
    assert worth_ahead(view, 10, True) > worth_ahead(view, 1500, None)
    assert worth_ahead(view, 50, None) == pytest.approx(50, abs=1)
    assert worth_ahead(view, -10, False) == -ONLY_ROUND


def test_in_a_longer_match_points_count_and_winning_it_adds_a_bonus() -> None:
    view = position("canasta", (0, 0), 0)
    assert worth_ahead(view, 900, None) == 900
    assert worth_ahead(view, 900, True) == 900 + MATCH


def test_a_narrow_win_of_the_match_is_worth_as_much_as_a_high_one() -> None:
    worth = []
    for ours in (["Ks Kh Kd"], ["4h 5h 6h 7h 8h 9h Th"]):
        hands = ["", "4c"]
        table = table_of("canastra", seats=2, hands=hands, melds=[ours, []], totals=(0, 0))
        end = evolve(table.position, closer=Seat(0))
        worth.append(round_worth(evolve(end, sheet=type(end).score(end)), Seat(0)))
    assert worth == [ONLY_ROUND, ONLY_ROUND]


@pytest.mark.parametrize("tuning", [Tuning.BY_HAND, Tuning.BY_TRIAL])
def test_going_out_is_evaluated_by_its_effect_on_the_match(tuning: Tuning) -> None:
    """In the three cases going out wins the match, loses it, or leaves the side behind."""
    nines, tens, eights = (" ".join(rank + suit for suit in "shdcshd") for rank in "9T8")
    others, wants = "4h 5h 4d 5d 7h 7d", []
    for theirs, totals in (
        ([tens], (4700, 4000)),
        ([tens], (4000, 4900)),
        ([tens, eights], (0, 0)),
    ):
        table = table_of(
            "canasta",
            hands=["6s 6h 6d Kc", others, "4c 5c", others],
            stock="+200 3s 3h 3d 3c 3s 3h 3d 3c",
            melds=[[nines], theirs],
            pile="4s",
            totals=totals,
        )
        wants.append(evaluator_of(GAMES["canasta"], tuning).wants_out(table.position, Seat(0)))
    assert wants == [True, False, False]
