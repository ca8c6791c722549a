"""The levels `middle` and `strong` in Canastra, in positions where a good player knows the move."""

import pytest

from engine.cards import Rank
from engine.moves import Discard, LayMelds, Move, TakePile
from engine.slots import Seat
from engine.turn import Step
from tests.client.bots.choices import choice, having_shown, thrown
from tests.engine.positions import table_of

LEVELS = pytest.mark.parametrize("level", ["middle", "strong"])


def runs(level: str, ours: str, theirs: str, hand: str) -> Move:
    table = table_of(
        "canastra",
        seats=2,
        hands=[hand, "+5"],
        melds=[[ours], [theirs]],
        pile="4s",
        took_aside=frozenset({Seat(0), Seat(1)}),
    )
    return choice(level, table, "canastra")


@LEVELS
def test_who_is_behind_does_not_end_the_game(level: str) -> None:
    move = runs(level, "Ks Kh Kd", "4h 5h 6h 7h 8h 9h Th", "Kc 9c")
    assert isinstance(move, Discard)


@LEVELS
def test_who_is_ahead_ends_the_game(level: str) -> None:
    move = runs(level, "4h 5h 6h 7h 8h 9h Th", "Ks Kh Kd", "Jh 9c")
    assert isinstance(move, LayMelds)


@LEVELS
def test_a_card_for_the_other_players_canastra_is_not_thrown(level: str) -> None:
    move = runs(level, "Ks Kh Kd", "4h 5h 6h 7h 8h 9h", "Th 9c 5d Jc")
    assert isinstance(move, Discard)
    assert move.card.card.rank is not Rank.TEN


@LEVELS
def test_cards_that_follow_each_other_are_kept(level: str) -> None:
    table = table_of(
        "canastra", seats=2, hands=["5h 6h 8s 9s Jd Qd 7c", "+9"], pile="4s", aside=((), ())
    )
    assert thrown(level, table, "canastra") == "7c"


@LEVELS
def test_a_two_is_not_given_away(level: str) -> None:
    table = table_of(
        "canastra", seats=2, hands=["2h 6c 9s Qd", "+9"], pile="4s Kd 7h Tc", aside=((), ())
    )
    assert thrown(level, table, "canastra") != "2h"


@LEVELS
@pytest.mark.parametrize(
    ("taken", "wanted", "spare"), [("8d 9d", "7d", "7c"), ("8c 9c", "7c", "7d")]
)
def test_a_card_beside_those_the_other_took_with_the_pile_is_not_thrown(
    level: str, taken: str, wanted: str, spare: str
) -> None:
    table = table_of(
        "canastra", seats=2, hands=["7c 7d Qs Ks", f"{taken} +5"], pile="4s", aside=((), ())
    )
    assert thrown(level, having_shown(table, 1, taken), "canastra") != wanted


@LEVELS
def test_a_run_becomes_a_canastra_as_soon_as_it_can(level: str) -> None:
    table = table_of(
        "canastra",
        seats=2,
        hands=["Th 4c 6d Qs 8c", "+5"],
        melds=[["4h 5h 6h 7h 8h 9h"], []],
        pile="4s",
        aside=((), ()),
    )
    assert choice(level, table, "canastra") == table.lay(table.play("Th", onto=0))


@LEVELS
def test_a_pile_that_lengthens_runs_is_taken(level: str) -> None:
    table = table_of(
        "canastra",
        seats=2,
        hands=["4c 6d Qs 8c", "+5"],
        melds=[["4h 5h 6h 7h 8h"], []],
        pile="9h Th 4s",
        step=Step.DRAW,
        aside=((), ()),
    )
    assert isinstance(choice(level, table, "canastra"), TakePile)
