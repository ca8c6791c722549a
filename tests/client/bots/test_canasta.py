"""The levels `middle` and `strong` in Canasta, in positions where a good player knows the move."""

import pytest
from attrs import evolve

from client.bots.evaluators import evaluator_of
from client.bots.weights import Tuning
from engine.canasta.game import CANASTA
from engine.moves import Answer, DrawStock, LayMelds, TakePile, shown_by
from engine.slots import Seat
from engine.turn import Step
from tests.client.bots.choices import choice, thrown
from tests.engine.positions import Table, codes_of, table_of

LEVELS = pytest.mark.parametrize("level", ["middle", "strong"])

KINGS = "Ks Kh Kd"
REST = "+200 3s 3h 3d 3c 3s 3h 3d 3c"
"""All other cards: worlds are dealt from whole decks."""

OTHERS = "4h 5h 4d 5d 7h 7d"
NINES = "9s 9h 9d 9c 9s 9h 9d"
EIGHTS = "8s 8h 8d 8c 8s 8h 8d"
TENS = "Ts Th Td Tc Ts Th Td"
THICK = "4s 6h Js 5c Qh 6d 4h Jd"


@LEVELS
def test_a_card_of_the_next_sides_meld_is_not_thrown(level: str) -> None:
    table = table_of(
        "canasta",
        hands=["Kc 5h 5d 7s 7h 8c 8d Qc Qs", "+9", "+9", "+9"],
        melds=[["As Ah Ad"], [KINGS]],
        pile=THICK,
    )
    assert thrown(level, table, "canasta") != "Kc"


@LEVELS
def test_a_black_three_guards_a_thick_pile(level: str) -> None:
    table = table_of(
        "canasta",
        hands=["Kc 7h 9d 3s Qc 8h", "+9", "+9", "+9"],
        melds=[["As Ah Ad"], [KINGS]],
        pile=THICK,
    )
    assert thrown(level, table, "canasta") == "3s"


@LEVELS
def test_pairs_and_wild_cards_are_kept(level: str) -> None:
    table = table_of(
        "canasta",
        hands=["5h 5d 7s 7h 8c 8d Qc Qs Kd 2s Jo", "+9", "+9", "+9"],
        pile="4s",
        totals=(3000, 3000),
    )
    assert thrown(level, table, "canasta") == "Kd"


@LEVELS
def test_the_opening_is_economical(level: str) -> None:
    table = table_of(
        "canasta",
        hands=["As Ah Ad 8s 8h 2s 2h Jo 5c 6d 7h Js", "+9", "+9", "+9"],
        pile="4s",
    )
    move = choice(level, table, "canasta")
    assert isinstance(move, LayMelds)
    assert codes_of(shown_by(move)) == "Ad Ah As"


@LEVELS
def test_a_thick_pile_is_taken(level: str) -> None:
    table = table_of(
        "canasta",
        hands=["Kc Ks 5h 8d Qd 7c 2s", "+9", "+9", "+9"],
        melds=[["As Ah Ad"]],
        pile=f"{THICK} Kh",
        step=Step.DRAW,
    )
    assert isinstance(choice(level, table, "canasta"), TakePile)


@LEVELS
def test_one_card_is_not_worth_a_pair_and_a_wild_card(level: str) -> None:
    table = table_of(
        "canasta",
        hands=["5c 2s 8h 8d Qd 7c Jc Ts", "+9", "+9", "+9"],
        melds=[["As Ah Ad"]],
        pile="5h",
        step=Step.DRAW,
    )
    assert isinstance(choice(level, table, "canasta"), DrawStock)


def can_go_out(ours: str, theirs: list[str], partner: str = "4c 5c") -> Table:
    """Return a table at which seat 0 holds three sixes and a king and may go out with them."""
    return table_of(
        "canasta",
        hands=["6s 6h 6d Kc", OTHERS, partner, OTHERS],
        melds=[[ours], theirs],
        pile="4s",
        stock=REST,
    )


@LEVELS
def test_who_is_ahead_goes_out(level: str) -> None:
    assert isinstance(choice(level, can_go_out(NINES, []), "canasta"), LayMelds)


@LEVELS
def test_going_out_is_evaluated_by_what_it_makes_of_the_match(level: str) -> None:
    """The same move wins the match, or loses it, or leaves one behind in the round."""
    evaluator = evaluator_of(CANASTA, Tuning.BY_TRIAL if level == "strong" else Tuning.BY_HAND)
    wants = [
        evaluator.wants_out(evolve(table.position, totals=totals), Seat(0))
        for table, totals in (
            (can_go_out(NINES, [TENS]), (4700, 4000)),
            (can_go_out(NINES, [TENS]), (4000, 4900)),
            (can_go_out(NINES, [TENS, EIGHTS]), (0, 0)),
        )
    ]
    assert wants == [True, False, False]


@LEVELS
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
    assert choice(level, table, "canasta") == Answer(True)


@LEVELS
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
    assert choice(level, table, "canasta") == Answer(False)


# -- what has been seen


@pytest.mark.parametrize(("seen", "other"), [("Q", "J"), ("J", "Q")])
def test_a_card_whose_like_have_been_seen_is_thrown_before_another(seen: str, other: str) -> None:
    """The next side could take the pile with two like cards; of one kind there are none left."""
    gone = " ".join(seen + suit for suit in "hdchdc")
    table = table_of(
        "canasta",
        hands=[f"{other}s {seen}s Ks Kh 9s 9h", OTHERS, "4c 5c", OTHERS],
        melds=[["As Ah Ad"], ["Ts Th Td"]],
        pile=f"4s {gone} 5s 6s 6h 8s 8h",
        stock=REST,
    )
    assert thrown("strong", table, "canasta") == f"{seen}s"


# -- canastas


@LEVELS
def test_a_meld_becomes_a_canasta_as_soon_as_it_can(level: str) -> None:
    table = table_of(
        "canasta",
        hands=["Kc 7s 9d Qc 8h 8d Js Jh", OTHERS, "4c 5c", OTHERS],
        melds=[["Ks Kh Kd Kc Ks Kh"], []],
        pile="4s",
        stock=REST,
    )
    assert choice(level, table, "canasta") == table.lay(table.play("Kc", onto=0))
