"""Clauses of Canastra that the cases in `spec/referee` cannot show."""

import pytest

from engine.errors import InvalidOption
from engine.games import GAMES
from engine.moves import Discard, DrawStock, LayMelds, Play, TakePile
from engine.orders import Deal
from engine.turn import Step
from tests.engine.canastra.canastra_tables import canastra_table, game_of
from tests.engine.simulation import at_random, states

GAME = GAMES["canastra"]


def test_b2_b2a_one_deal_is_one_game_and_starters_alternate() -> None:
    assert (GAME.options().rounds, GAME.options().match_target) == (1, None)
    with pytest.raises(InvalidOption, match="from 1 to 1000"):
        GAME.options(rounds=0)
    starters: dict[int, int | None] = {}
    for match, _, _ in states(GAME, GAME.options(rounds=3), 2, 2, at_random):
        if match.round is not None and not match.round_over:
            starters.setdefault(match.round_number, match.mover)
    assert len(starters) == 3
    assert starters[1] == starters[3] != starters[2]  # B8


def test_b41_a_dead_lies_aside_until_it_is_dealt() -> None:
    table = canastra_table(hands=["5s"])
    first, second = game_of(table).aside
    waiting = table.position.apply(table.discard("5s"))
    assert waiting.set_aside == (first, second)
    assert waiting.to_move is None
    (order,) = waiting.orders
    assert isinstance(order, Deal)
    assert order.to(waiting.turn.seat) == first
    assert table.apply(table.discard("5s")).position.set_aside == (second,)


def test_b49_the_first_dead_becomes_the_stock() -> None:
    table = canastra_table(hands=["5s 9d"], stock="Kd", step=Step.DRAW)
    first, second = game_of(table).aside
    drawn = table.apply(DrawStock())
    assert (drawn.position.stock, drawn.position.set_aside) == ((), (first, second))
    after = drawn.apply(drawn.discard("Kd")).position
    assert (after.stock, after.set_aside) == (first, (second,))


@pytest.mark.parametrize(("limit", "turns"), [(10, 0), (1000, 980)])
def test_b55_the_game_ends_when_nothing_is_drawn_or_melded(limit: int, turns: int) -> None:
    table = canastra_table(
        hands=["5s 9d", "4c 6c"],
        pile="4h Th",
        step=Step.DRAW,
        options={"idle_turns": limit},
        idle_turns=turns,
    )
    while table.position.turn.step is Step.DRAW:
        taken = table.apply(TakePile())
        free = taken.hand(taken.hand_codes(taken.position.turn.seat))
        table = taken.apply(Discard(next(c for c in free if c.slot != game_of(taken).barred)))
        turns += 1
    assert turns == limit
    assert table.position.closer is None


def test_b10_an_addition_to_a_run_has_at_least_one_card() -> None:
    table = canastra_table(hands=["4h 5h"], melds=[["7h 8h 9h"], []])
    assert table.refusal(LayMelds((Play((), 0),))) == "B10"


# -- the barred card


def test_b12_the_twin_of_the_barred_card_may_be_discarded() -> None:
    table = canastra_table(hands=["Kh 9d"], pile="Kh", step=Step.DRAW).apply(TakePile())
    twin, barred = table.hand("Kh Kh")
    assert table.refusal(Discard(barred)) == "B12"
    assert Discard(twin) in table.moves
    assert Discard(barred) not in table.moves


def test_b13_the_barred_card_may_be_the_last_one_if_it_can_be_laid() -> None:
    table = canastra_table(hands=["4h 5h 6h"], pile="7h", step=Step.DRAW).apply(TakePile())
    after = table.apply(table.lay("4h 5h 6h"))
    assert after.moves == (after.lay(after.play("7h", onto=0)),)


@pytest.mark.parametrize(
    ("hand", "pile", "refusal"), [("Kh Kd", "8d Kc", None), ("Kh Kd 8d", "4s Kc", "B45")]
)
def test_b45_a_known_last_card_may_complete_the_canastra(
    hand: str, pile: str, refusal: str | None
) -> None:
    """A last card may be kept only if the others know that it completes the canastra."""
    table = canastra_table(
        hands=[hand],
        pile=pile,
        step=Step.DRAW,
        melds=[["2d 3d 4d 5d 6d 7d", "5s 6s 7s"]],
        took_dead=[0],
        options={"require_canastra": True},
    ).apply(TakePile())
    kings = table.lay("Kh Kd Kc")
    if refusal:
        table = table.apply(table.lay(table.play("4s", onto=1)))
    assert table.refusal(kings) == refusal
    if not refusal:
        after = table.apply(kings)
        assert after.moves == (after.lay(after.play("8d", onto=0)),)


def test_b13_the_last_two_cards_are_offered_together() -> None:
    # Laying the nine alone would leave only the ten. Without a canastra, this ten cannot be
    # discarded, and nobody else knows that it fits. If the ten is laid alone, all can see that the
    # barred nine may be laid.
    table = canastra_table(
        hands=["9s Th"],
        barred="9s",
        melds=[["5s 6s 7s 8s", "4h 5h 6h 7h 8h 9h"]],
        took_dead=[0],
        options={"require_canastra": True},
    )
    nine, ten = table.play("9s", onto=0), table.play("Th", onto=1)
    assert table.refusal(table.lay(nine)) == "B45"
    assert table.moves == (table.lay(ten), table.lay(nine, ten), table.discard("Th"))
    assert table.apply(table.lay(nine, ten)).position.closer == 0


def test_b13_of_two_twins_the_barred_one_is_melded() -> None:
    table = canastra_table(hands=["5s 6s 7s"], pile="7s", step=Step.DRAW).apply(TakePile())
    other, barred = table.hand("7s 7s")
    assert game_of(table).barred == barred.slot
    lays = [move for move in table.moves if isinstance(move, LayMelds)]
    assert lays
    assert not any(other in play.cards for lay in lays for play in lay.plays)
    assert table.refusal(table.lay("5s 6s 7s")) == "B13", (
        "the twin is melded instead, so the barred card is left"
    )


@pytest.mark.parametrize(
    ("hand", "pile", "may"), [("5s 6s", "9c", True), ("5s", "9c", False), ("5s 6s", "", False)]
)
def test_b7_b15_b16_conditions_for_taking_the_pile(hand: str, pile: str, may: bool) -> None:
    table = canastra_table(hands=[hand], pile=pile, step=Step.DRAW)
    assert table.position.may_take_pile() == may
    assert table.moves == ((DrawStock(), TakePile()) if may else (DrawStock(),))
