"""Clauses of Canastra that the cases in `spec/referee` cannot show.

A *dead* (morto) is a hand of cards that is set aside (B5).
"""

import pytest

from engine.errors import InvalidOption
from engine.games import GAMES
from engine.moves import Discard, DrawStock, LayMelds, Play, TakePile
from engine.orders import Deal, Give
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
    assert order.gives == tuple(Give(slot, waiting.turn.seat) for slot in first)
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
        free = taken.position.hand(taken.position.turn.seat)
        table = taken.apply(Discard(next(c for c in free if c.slot != game_of(taken).barred)))
        turns += 1
    assert turns == limit
    assert table.position.closer is None


def test_b10_an_addition_to_a_run_has_at_least_one_card() -> None:
    table = canastra_table(hands=["4h 5h"], melds=[["7h 8h 9h"], []])
    assert table.refusal(LayMelds((Play((), 0),))) == "B10"
