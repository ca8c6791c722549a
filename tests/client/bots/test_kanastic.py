"""The levels in Kanastic, in positions where a good player knows the move."""

import random

import pytest

from client.bots.evaluators import evaluator_of
from client.bots.games.kanastic import KanasticEvaluator, KanasticWeights
from client.bots.one_move_ahead import going_out
from client.bots.weights import Tuning
from engine.games import GAMES
from engine.moves import LayMelds, Move, shown_by
from engine.slots import Seat
from tests.client.bots.choices import choice, thrown
from tests.engine.positions import Table, table_of

LEVELS = pytest.mark.parametrize("level", ["middle", "strong"])

KINGS = "Ks Kh Kd"
REST = "+200 Po Po Po Po"
"""All other cards: worlds are dealt from whole decks."""

EIGHTS = "8s 8h 8d 8c 8h 8d 8c"
TENS = "Ts Th Td Tc Th Td Tc"
OTHERS = "4h 5h 4d 5d 7h 7d"
NINES = "9s 9h 9d 9c 9h 9d 9c"


@LEVELS
def test_a_stop_card_guards_a_thick_pile(level: str) -> None:
    table = table_of(
        "kanastic",
        hands=["Kc 7h 9d Sh Qc 8h Jc", "+9", "+9", "+9"],
        melds=[["As Ah Ad"], [KINGS]],
        pile="4s 6h Js 5c Qh 6d 4h Jd 7s 8s 9s Ts",
    )
    assert thrown(level, table, "kanastic") == "Sh"


@LEVELS
def test_golds_that_belong_together_are_kept(level: str) -> None:
    table = table_of(
        "kanastic",
        hands=["7g 8g 9g Jg Kc 4h 5d Qs", "+9", "+9", "+9"],
        pile="4s",
    )
    move = choice(level, table, "kanastic")
    golds = {"7g", "8g", "9g", "Jg"}
    assert isinstance(move, LayMelds) or not golds & {s.card.code for s in shown_by(move)}


@LEVELS
def test_pairs_and_wild_cards_are_kept(level: str) -> None:
    table = table_of(
        "kanastic",
        hands=["5h 5d 7s 7h 8c 8d Qc Qs Kd Sw Ar", "+9", "+9", "+9"],
        pile="4s",
        totals=(3000, 3000),
        stock=REST,
    )
    assert thrown(level, table, "kanastic") == "Kd"


@pytest.mark.parametrize(("seen", "other"), [("Q", "J"), ("J", "Q")])
def test_a_card_whose_like_have_been_seen_is_thrown_before_another(seen: str, other: str) -> None:
    """The next side could take the pile with two like cards; of one kind there are none left."""
    gone = " ".join(seen + suit for suit in "hdchdc")
    table = table_of(
        "kanastic",
        hands=[f"{other}s {seen}s Ks Kh 9s 9h", OTHERS, "4c 5c", OTHERS],
        melds=[["As Ah Ad"], ["Ts Th Td"]],
        pile=f"4s {gone} 5s 6s 6h 8s 8h",
        stock=REST,
    )
    assert thrown("strong", table, "kanastic") == f"{seen}s"


@LEVELS
def test_a_meld_becomes_a_canasta_as_soon_as_it_can(level: str) -> None:
    table = table_of(
        "kanastic",
        hands=["Kc 7s 9d Qc 8h 8d Js Jh", OTHERS, "4c 5c", OTHERS],
        melds=[["Ks Kh Kd Kc Kh Kd"], []],
        pile="4s",
        stock=REST,
    )
    assert choice(level, table, "kanastic") == table.lay(table.play("Kc", onto=0))


def can_go_out(totals: tuple[int, int], *theirs: str) -> Table:
    """Return a table at which seat 0 may lay three sixes and go out with its king.

    Its side has a canasta, and all others hold two cards.
    """
    return table_of(
        "kanastic",
        hands=["6s 6h 6d Kc", "4h 5h", "4c 5c", "4h 5h"],
        melds=[[NINES], theirs],
        pile="4s",
        totals=totals,
        stock=REST,
    )


@LEVELS
def test_who_wins_the_match_by_it_goes_out(level: str) -> None:
    """Otherwise the other side would win the match, if it could go out first."""
    move = choice(level, can_go_out((9400, 9300), TENS), "kanastic")
    assert isinstance(move, LayMelds)
    assert len(shown_by(move)) == 3


@LEVELS
def test_who_would_lose_the_match_by_it_does_not_go_out(level: str) -> None:
    move = choice(level, can_go_out((4000, 9000), TENS, EIGHTS), "kanastic")
    assert not isinstance(move, LayMelds)


# -- what the patient level knows beside


@pytest.mark.parametrize(("useless", "useful"), [("5", "7"), ("7", "5")])
def test_a_pair_of_one_suit_is_thrown_before_another(useless: str, useful: str) -> None:
    """A third card would not make it a meld (K31)."""
    table = table_of(
        "kanastic",
        hands=[f"{useful}s {useful}h {useless}h {useless}h Ks Kd 9s 9d", "+9", "+9", "+9"],
        pile="4s",
        totals=(3000, 3000),
    )
    assert thrown("patient", table, "kanastic") == f"{useless}h"


def way_out(theirs: str) -> Move | None:
    """Return the way out of seat 0, whose side has 730 points on the table.

    It may lay a Sword or a nine, and discards the other.
    """
    table = table_of(
        "kanastic",
        hands=["Sw 9h", "4h", "4c", "4h"],
        melds=[[EIGHTS, "9s 9d 9c"], theirs.split(",") if theirs else []],
        pile="4s",
    )
    view = table.position
    evaluator = evaluator_of(GAMES["kanastic"], Tuning.LEARNT)
    return going_out(view, Seat(0), evaluator, view.legal_moves(Seat(0)))


@pytest.mark.parametrize(
    ("theirs", "thrown_last"),
    [("", "Sw"), (f"{TENS},Js Jh Jd Jc Jh Jd Jc", "9h")],
)
def test_the_last_discard_doubles_where_one_is_ahead(theirs: str, thrown_last: str) -> None:
    """K98: a side that is behind does not double."""
    move = way_out(theirs)
    assert isinstance(move, LayMelds)
    assert {"Sw", "9h"} - {shown.card.code for shown in shown_by(move)} == {thrown_last}


@pytest.mark.parametrize("total", [0, 1500, 3000, 5000])
def test_who_can_open_is_ready_to(total: int) -> None:
    """At each stage, a hand that cannot open yet is valued higher the nearer it is to opening."""
    knows = KanasticEvaluator(KanasticWeights(opening=100))
    ignores = KanasticEvaluator(KanasticWeights())
    able = 0
    for seed in range(60):
        codes = [f"{rank}{suit}" for rank in "459TJ" for suit in "hdc" for _ in range(2)]
        hand = random.Random(seed).sample([*codes, *6 * ["Sw"], *3 * ["Ar"]], 13)
        table = table_of("kanastic", hands=[" ".join(hand)], totals=(total, 0), seats=2)
        view = table.position
        added = knows.standing(view, Seat(0)) - ignores.standing(view, Seat(0))
        opens = any(isinstance(move, LayMelds) for move in view.legal_moves(Seat(0)))
        able += opens
        assert 0 < added <= 100
        assert added == pytest.approx(100) or not opens
    assert able > 0


@pytest.mark.parametrize(
    ("total", "hand", "nearer"),
    [
        (0, "Ks Kh 4d 5d", "Ks Kh Kd 4d"),
        (1500, "Ks Kh Kd Sw 4h", "Ks Kh Kd Kc Sw"),
        (3000, "Ks Kh Kd Sw Sw 4h", "Ks Kh Kd Ar Sw 4h"),
        (5000, "Ks Kh Kd Qs Qh Qd Sw", "Ks Kh Kd Kc Qs Qh Sw"),
        (5000, "Ks Kh Kd Kc Sw Qh", "Ks Kh Kd Kc Sw Sw"),
    ],
)
def test_what_brings_the_opening_nearer_is_worth_more(total: int, hand: str, nearer: str) -> None:
    knows = KanasticEvaluator(KanasticWeights(opening=100))
    ignores = KanasticEvaluator(KanasticWeights())

    def added(codes: str) -> float:
        view = table_of("kanastic", hands=[codes], totals=(total, 0), seats=2).position
        return knows.standing(view, Seat(0)) - ignores.standing(view, Seat(0))

    assert added(hand) < added(nearer)
