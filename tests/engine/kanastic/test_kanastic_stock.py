"""The stock used up: the rebuilt stock, and the end of a round without it (K21, K86-K94)."""

from typing import Any

import pytest

from engine.moves import Discard, DrawStock
from engine.orders import Deal, Shuffle
from engine.slots import slots_of
from engine.turn import Step
from tests.engine.kanastic.tables import kanastic, kanastic_table
from tests.engine.positions import Table


def last_card(stock: str = "Kd", pile: str = "9d 9h 9c", **given: Any) -> Table:
    """Return a table at which seat 0 is about to draw from a short stock."""
    hands = ["4h 5h 6h", "4d 5d 6d", "4c 5c 6c", "4s 5s 6s"]
    return kanastic_table(
        **{"hands": hands, "stock": stock, "pile": pile, "step": Step.DRAW, **given}
    )


def codes_of_stock(table: Table) -> str:
    return " ".join(table.cards[slot].card.code for slot in table.position.stock)


def test_k86_who_draws_the_last_card_turns_the_pile_into_the_stock() -> None:
    table = last_card()
    drawing = table.position.apply(DrawStock())
    assert [type(order) for order in drawing.orders] == [Deal]
    shuffling = drawing.deliver()
    assert [type(order) for order in shuffling.orders] == [Shuffle]
    order = shuffling.orders[0]
    assert isinstance(order, Shuffle)
    assert [card.code for card in order.cards] == ["9d", "9h", "9c"]
    after = table.apply(DrawStock())
    assert after.hand_codes(0) == "4h 5h 6h Kd"
    assert after.position.pile == ()
    assert codes_of_stock(after) == "9d 9h 9c"
    assert (after.position.turn.step, after.position.to_move) == (Step.PLAY, 0)


def test_k86_not_before_the_last_card() -> None:
    after = last_card("Kd Kh").apply(DrawStock())
    assert after.pile_codes == "9d 9h 9c"
    assert codes_of_stock(after) == "Kh"


def test_k86a_the_new_stock_lies_in_new_slots() -> None:
    table = last_card(melds=[["8h 8d 8c"]], bonus=["Po"])
    used = set(table.cards)
    after = table.apply(DrawStock())
    assert used.isdisjoint(after.position.stock)
    assert after.position.stock[0] == max(used) + 1
    # Also the next time, when the newest slots lie in hands and in the pile.
    second = after.apply(after.discard("4h"))
    for code in ("4d", "4c", "4s"):
        second = second.apply(DrawStock())
        second = second.apply(second.discard(code))
    assert min(second.position.stock) > max(after.position.stock)


def test_k87_the_discard_starts_the_new_pile() -> None:
    table = last_card().apply(DrawStock())
    after = table.apply(table.discard("Kd"))
    assert after.pile_codes == "Kd"
    assert slots_of(after.position.pile) == (table.hand("Kd")[0].slot,)


def test_k88_a_pot_may_use_up_the_stock_too() -> None:
    table = last_card("Po Kd").apply(DrawStock())
    assert table.pile_codes == "9d 9h 9c"
    after = table.apply(table.show("Po"))
    assert after.hand_codes(0) == "4h 5h 6h Kd"
    assert codes_of_stock(after) == "9d 9h 9c"
    assert after.position.pile == ()


def test_k21_the_stock_is_rebuilt_before_the_pot_is_replaced() -> None:
    table = last_card("Po").apply(DrawStock())
    assert codes_of_stock(table) == "9d 9h 9c"
    after = table.apply(table.show("Po"))
    assert after.hand_codes(0) == "4h 5h 6h 9d"
    assert codes_of_stock(after) == "9h 9c"


def test_k89_without_a_pile_to_turn_the_round_is_over() -> None:
    table = last_card("Po", pile="9d").apply(DrawStock())
    assert codes_of_stock(table) == "9d"
    over = table.apply(table.show("Po"))
    assert over.position.turn.step is Step.OVER
    assert over.position.closer is None
    # The replacement had been drawn; nobody has the bonus, and nothing is doubled.
    assert over.scored(0) == {"Treasure Pots": 100, "cards in hand": -40}
    assert over.scored(1) == {"cards in hand": -30}
    assert over.moves == ()


def pass_through(table: Table, turns: int) -> Table:
    """Return the table after `turns` turns of a draw and the discard of the card drawn."""
    for _ in range(turns):
        drawn = table.apply(DrawStock())
        if drawn.position.turn.step is Step.OVER:
            return drawn
        seat = drawn.position.turn.seat
        table = drawn.apply(Discard(drawn.position.hand(seat)[-1]))
    return table


def test_k94_two_barren_passes_through_rebuilt_stocks_end_the_round() -> None:
    table = pass_through(last_card(), 1)  # the stock dealt is used up, three cards are rebuilt
    assert kanastic(table).rebuilds == 1
    table = pass_through(table, 3)
    assert kanastic(table).rebuilds == 2
    table = pass_through(table, 2)
    assert table.position.turn.step is Step.DRAW
    over = table.apply(DrawStock())
    assert over.position.turn.step is Step.OVER
    assert over.position.closer is None
    assert "going out" not in over.scored(0)


def test_k94_a_melded_card_counts_the_passes_anew() -> None:
    table = pass_through(last_card(melds=[["8h 8d 8c"], ["7h 7d 7c"]]), 4)
    assert kanastic(table).rebuilds == 2
    hands = ["4h 5h 8s", "4d 5d 6d"]
    melding = last_card(hands=hands, melds=[["8h 8d 8c"]], seats=2, rebuilds=2, stock="Kd Kh")
    melding = melding.apply(DrawStock())
    melding = melding.apply(melding.lay(melding.play("8s", 0)))
    assert kanastic(melding).rebuilds == 0
    after = pass_through(melding.apply(melding.discard("Kd")), 1)
    assert after.position.turn.step is Step.DRAW
    assert kanastic(after).rebuilds == 1


@pytest.mark.parametrize(("passes", "passed"), [(1, 0), (2, 0), (5, 0), (100, 98)])
def test_k94_the_option_sets_the_number_of_passes(passes: int, passed: int) -> None:
    table = last_card(options={"barren_passes": passes}, rebuilds=passed)
    turns = 0
    while table.position.turn.step is not Step.OVER:
        table = pass_through(table, 1)
        turns += 1
    assert turns == 1 + 3 * (passes - passed)
