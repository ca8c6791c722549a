"""The end of the stock (C86-C90)."""

from typing import Any

import pytest

from engine.moves import Answer, Ask, DrawStock, Pass
from engine.turn import Step
from tests.engine.canasta.tables import canasta_table
from tests.engine.positions import Table

CANASTA = "9s 9s 9h 9h 9d 9d 9c"


def without_stock(hand: str, pile: str, meld: str = "9d 9h 9c", **more: Any) -> Table:
    """Return a table at which seat 1 is to draw, and there is nothing to draw from."""
    return canasta_table(
        hands=["", hand], pile=pile, melds=[[], [meld]], stock="", step=Step.DRAW, seat=1, **more
    )


def test_c86_whoever_draws_the_last_card_melds_and_discards() -> None:
    table = canasta_table(hands=["Ks 4c", "5c"], stock="Kd", pile="8s", step=Step.DRAW)
    table = table.apply(DrawStock())
    assert table.position.stock == ()
    assert table.refusal(Pass()) == "C86"
    table = table.apply(table.discard("4c"))
    assert table.position.to_move == 1


def test_c86_or_goes_out() -> None:
    table = canasta_table(hands=["Ks Kc"], stock="Kd", step=Step.DRAW, melds=[[CANASTA]])
    table = table.apply(DrawStock())
    assert table.apply(table.lay("Ks Kc Kd")).position.closer == 0


def test_c87_the_next_players_take_the_pile_or_end_the_hand() -> None:
    table = without_stock("9d 9h Ks 4c", "5c 8c 9s", meld="Qs Qd Qh")
    assert table.refusal(DrawStock()) == "C87"
    assert table.refusal(Pass()) is None
    taken = table.apply(table.take("^ 9d 9h"))
    assert taken.refusal(Pass()) == "C86"
    after = taken.apply(taken.discard("4c"))
    assert after.position.to_move == 2
    assert after.position.turn.step is Step.DRAW
    assert set(after.moves) == {Pass()}


def test_c88_taking_is_forced_when_the_top_joins_an_own_meld() -> None:
    table = without_stock("Ks 4c", "9s")
    assert table.refusal(Pass()) == "C88"
    assert table.moves == (table.take(table.play("^", onto=0)),)
    with_more = without_stock("9c Ks 4c", "9s")
    assert with_more.refusal(with_more.take(with_more.play("^ 9c", onto=0))) is None


def test_c88_one_of_several_melds_is_enough() -> None:
    table = canasta_table(
        hands=["", "Ks 4c"],
        pile="9s",
        melds=[[], ["7d 7h 7c", "9d 9h 9c", "Qd Qh Qc"]],
        stock="",
        step=Step.DRAW,
        seat=1,
    )
    assert table.refusal(Pass()) == "C88"
    assert table.moves == (table.take(table.play("^", onto=1)),)


@pytest.mark.parametrize(
    ("hand", "pile", "why"),
    [
        ("Ks 4c", "2s 9s", "the pile is frozen"),
        ("Ks 4c", "8s", "only a meld of another rank lies there"),
        ("8d 8h Ks 4c", "8s", "two hidden naturals are nobody's business"),
        ("Ks", "9s", "one card would be left, and it could not be discarded"),
        ("Ks 4c", "3s", "a black three covers the pile"),
    ],
)
def test_c88_otherwise_it_is_free(hand: str, pile: str, why: str) -> None:
    table = without_stock(hand, pile)
    assert table.refusal(Pass()) is None, why


def test_c88_taking_is_not_forced_while_there_is_a_stock() -> None:
    table = canasta_table(hands=["Ks 4c"], pile="9s", melds=[["9d 9h 9c"]], step=Step.DRAW)
    assert table.refusal(DrawStock()) is None
    assert table.refusal(Pass()) == "C89"


def test_c89_the_round_ends_when_the_next_player_does_not_take() -> None:
    table = without_stock("Ks 4c", "8s")
    ended = table.apply(Pass())
    assert ended.position.closer is None
    assert ended.position.sheet is not None
    assert ended.scored(1) == {"cards melded": 30, "cards in hand": -15}
    assert ended.moves == ()


def test_c89_nobody_gives_up_while_there_is_a_stock() -> None:
    table = canasta_table(hands=["Ks 4c"], pile="8s", step=Step.DRAW)
    assert table.refusal(Pass()) == "C89"
    playing = canasta_table(hands=["Ks"], pile="8s")
    assert playing.refusal(Pass()) == "C89"


def last_red_three(hand: str, **more: Any) -> Table:
    table = canasta_table(hands=[hand], stock="3h", pile="8s", step=Step.DRAW, **more)
    table = table.apply(DrawStock())
    assert table.moves == (table.show("3h"),)
    return table


def test_c90_a_red_three_as_last_card_is_not_replaced_and_the_turn_goes_on() -> None:
    table = last_red_three("Ks 4c")
    table = table.apply(table.show("3h"))
    assert table.hand_codes(0) == "Ks 4c"
    assert table.refusal(Pass()) == "C86"
    assert table.apply(table.discard("4c")).position.to_move == 1


def test_c90a_who_is_left_with_a_card_they_may_not_discard_ends_the_hand() -> None:
    table = last_red_three("Ks", melds=[["4s 4d 4h"]])
    table = table.apply(table.show("3h"))
    assert table.refusal(table.discard("Ks")) == "C70"
    assert table.moves == (Pass(),)
    ended = table.apply(Pass())
    assert ended.position.closer is None
    assert ended.scored()["cards in hand"] == -10


def test_c90a_with_a_canasta_they_go_out_instead() -> None:
    table = last_red_three("Ks", melds=[[CANASTA]])
    table = table.apply(table.show("3h"))
    assert table.refusal(Pass()) == "C86"
    assert table.apply(table.discard("Ks")).position.closer == 0


def test_c90a_nor_are_they_stranded_by_a_no() -> None:
    """They asked with the red three still in hand, and obeying the No takes their last card."""
    table = last_red_three("Ks", melds=[[CANASTA]]).apply(Ask(), Answer(False))
    table = table.apply(table.show("3h"))
    assert table.refusal(table.discard("Ks")) == "C74"
    assert table.moves == (Pass(),)
