"""What the middle and the strong level do where a good player would know what to do."""

import random

import pytest
from attrs import evolve

from client.opponents.levels import judge_of, opponent
from engine.cards import Rank
from engine.moves import Answer, Discard, DrawStock, LayMelds, Move, TakePile, shown_by
from engine.places import Seat
from engine.position import Step
from tests.engine.positions import Table, codes_of, table_of

pytestmark = pytest.mark.parametrize("level", ["middle", "strong"])

KINGS = "Ks Kh Kd"
REST = "+200 3s 3h 3d 3c 3s 3h 3d 3c"
"""All other cards of Canasta: worlds are dealt from whole decks."""

OTHERS = "4h 5h 4d 5d 7h 7d"
NINES = "9s 9h 9d 9c 9s 9h 9d"
EIGHTS = "8s 8h 8d 8c 8s 8h 8d"
TENS = "Ts Th Td Tc Ts Th Td"
THICK = "4s 6h Js 5c Qh 6d 4h Jd"


def choice(level: str, table: Table, game: str = "canasta") -> Move:
    seat = table.position.to_move
    assert seat is not None
    own = {shown.slot: shown.card for shown in table.position.hand(seat)}
    return opponent(level, game, random.Random(1))(table.position.seen(own))


def thrown(level: str, table: Table, game: str = "canasta") -> str:
    move = choice(level, table, game)
    assert isinstance(move, Discard)
    return move.card.card.code


# -- Canasta


def test_a_card_of_the_next_sides_meld_is_not_thrown(level: str) -> None:
    table = table_of(
        "canasta",
        hands=["Kc 5h 5d 7s 7h 8c 8d Qc Qs", "+9", "+9", "+9"],
        melds=[["As Ah Ad"], [KINGS]],
        pile=THICK,
    )
    assert thrown(level, table) != "Kc"


def test_a_black_three_guards_a_thick_pile(level: str) -> None:
    table = table_of(
        "canasta",
        hands=["Kc 7h 9d 3s Qc 8h", "+9", "+9", "+9"],
        melds=[["As Ah Ad"], [KINGS]],
        pile=THICK,
    )
    assert thrown(level, table) == "3s"


def test_pairs_and_wild_cards_are_kept(level: str) -> None:
    table = table_of(
        "canasta",
        hands=["5h 5d 7s 7h 8c 8d Qc Qs Kd 2s Jo", "+9", "+9", "+9"],
        pile="4s",
        totals=(3000, 3000),
    )
    assert thrown(level, table) == "Kd"


def test_the_opening_is_economical(level: str) -> None:
    table = table_of(
        "canasta",
        hands=["As Ah Ad 8s 8h 2s 2h Jo 5c 6d 7h Js", "+9", "+9", "+9"],
        pile="4s",
    )
    move = choice(level, table)
    assert isinstance(move, LayMelds)
    assert codes_of(shown_by(move)) == "Ad Ah As"


def test_a_thick_pile_is_taken(level: str) -> None:
    table = table_of(
        "canasta",
        hands=["Kc Ks 5h 8d Qd 7c 2s", "+9", "+9", "+9"],
        melds=[["As Ah Ad"]],
        pile=f"{THICK} Kh",
        step=Step.DRAW,
    )
    assert isinstance(choice(level, table), TakePile)


def test_one_card_is_not_worth_a_pair_and_a_wild_card(level: str) -> None:
    table = table_of(
        "canasta",
        hands=["5c 2s 8h 8d Qd 7c Jc Ts", "+9", "+9", "+9"],
        melds=[["As Ah Ad"]],
        pile="5h",
        step=Step.DRAW,
    )
    assert isinstance(choice(level, table), DrawStock)


def can_go_out(ours: str, theirs: list[str], partner: str = "4c 5c") -> Table:
    """Seat 0 holds three sixes and a king and may go out with them."""
    return table_of(
        "canasta",
        hands=["6s 6h 6d Kc", OTHERS, partner, OTHERS],
        melds=[[ours], theirs],
        pile="4s",
        stock=REST,
    )


def test_who_is_ahead_goes_out(level: str) -> None:
    assert isinstance(choice(level, can_go_out(NINES, [])), LayMelds)


def test_going_out_is_judged_by_what_it_makes_of_the_match(level: str) -> None:
    """The same move wins the match, or loses it, or leaves one behind in the round."""
    judge = judge_of(level, "canasta")
    wants = [
        judge.wants_out(evolve(table.position, totals=totals), Seat(0))
        for table, totals in (
            (can_go_out(NINES, [TENS]), (4700, 4000)),
            (can_go_out(NINES, [TENS]), (4000, 4900)),
            (can_go_out(NINES, [TENS, EIGHTS]), (0, 0)),
        )
    ]
    assert wants == [True, False, False]


def test_the_partner_gives_leave_when_it_costs_little(level: str) -> None:
    table = table_of(
        "canasta",
        hands=["6s 6h 6d Kc", OTHERS, "5s 4s", OTHERS],
        melds=[[NINES], []],
        step=Step.ANSWER,
        turn={"asked": True},
        pile="4s",
        asks=(1, 0, 0, 0),
        stock=REST,
    )
    assert choice(level, table) == Answer(True)


def test_the_partner_denies_leave_with_a_dear_hand(level: str) -> None:
    table = table_of(
        "canasta",
        hands=["6s 6h 6d Kc", OTHERS, "As Ah Ad Jo Jo 5s", OTHERS],
        melds=[[NINES], []],
        step=Step.ANSWER,
        turn={"asked": True},
        pile="4s",
        asks=(1, 0, 0, 0),
        stock=REST,
    )
    assert choice(level, table) == Answer(False)


# -- Kanastic


def test_a_stop_card_guards_a_thick_pile(level: str) -> None:
    table = table_of(
        "kanastic",
        hands=["Kc 7h 9d Sh Qc 8h Jc", "+9", "+9", "+9"],
        melds=[["As Ah Ad"], [KINGS]],
        pile="4s 6h Js 5c Qh 6d 4h Jd 7s 8s 9s Ts",
    )
    assert thrown(level, table, "kanastic") == "Sh"


def test_golds_that_belong_together_are_kept(level: str) -> None:
    table = table_of(
        "kanastic",
        hands=["7g 8g 9g Jg Kc 4h 5d Qs", "+9", "+9", "+9"],
        pile="4s",
    )
    move = choice(level, table, "kanastic")
    golds = {"7g", "8g", "9g", "Jg"}
    assert isinstance(move, LayMelds) or not golds & {s.card.code for s in shown_by(move)}


# -- Canastra


def runs(level: str, ours: str, theirs: str, hand: str) -> Move:
    table = table_of(
        "canastra",
        seats=2,
        hands=[hand, "+5"],
        melds=[[ours], [theirs]],
        pile="4s",
        took_dead=frozenset({Seat(0), Seat(1)}),
    )
    return choice(level, table, "canastra")


def test_who_is_behind_does_not_end_the_game(level: str) -> None:
    move = runs(level, "Ks Kh Kd", "4h 5h 6h 7h 8h 9h Th", "Kc 9c")
    assert isinstance(move, Discard)


def test_who_is_ahead_ends_the_game(level: str) -> None:
    move = runs(level, "4h 5h 6h 7h 8h 9h Th", "Ks Kh Kd", "Jh 9c")
    assert isinstance(move, LayMelds)


def test_a_card_for_the_other_players_canastra_is_not_thrown(level: str) -> None:
    move = runs(level, "Ks Kh Kd", "4h 5h 6h 7h 8h 9h", "Th 9c 5d Jc")
    assert isinstance(move, Discard)
    assert move.card.card.rank is not Rank.TEN
