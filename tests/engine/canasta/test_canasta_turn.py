"""A turn: drawing, melding, discarding (C17-C21, C56), and what is public (C58-C60)."""

import pytest

from engine.errors import IllegalMove
from engine.moves import (
    Answer,
    Ask,
    Cut,
    Discard,
    DrawStock,
    LayMelds,
    Move,
    Pass,
    Play,
    ShowBonus,
    TakePile,
    TakeTop,
)
from engine.slots import Seat
from engine.turn import Step
from tests.engine.canasta.tables import canasta_table as table_of


def test_c17_one_draws_then_melds_as_one_likes_then_discards() -> None:
    table = table_of(hands=["Ks Kd Kh Kc As 4c"], stock="4d +9", totals=[-5], step=Step.DRAW)
    table = table.apply(DrawStock())
    assert table.hand_codes(0) == "Ks Kd Kh Kc As 4c 4d"
    table = table.apply(table.lay("Ks Kd Kh"))
    table = table.apply(table.lay(table.play("Kc", onto=0)), table.discard("As"))
    assert table.hand_codes(0) == "4c 4d"
    assert table.pile_codes == "As"
    assert table.position.to_move == 1
    assert table.position.turn.step is Step.DRAW


def test_c17_the_pile_is_taken_instead_of_a_stock_card() -> None:
    table = table_of(hands=["Ks Kd Ah As"], pile="9d Kh", totals=[-5], step=Step.DRAW)
    taken = table.apply(table.take("^ Ks Kd"))
    assert taken.hand_codes(0) == "Ah As 9d"
    assert taken.pile_codes == ""
    assert taken.refusal(DrawStock()) == "X10"
    assert table_of(hands=["Ks"], step=Step.DRAW).refusal(TakePile()) == "C17"
    assert table.refusal(table.take_top("^ Ks Kd")) == "C17"


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_c18_one_card_is_drawn_whatever_the_number_of_players(seats: int) -> None:
    table = table_of(seats=seats, hands=["Ks Kd"], stock="4d 4h 4c", step=Step.DRAW)
    assert len(table.apply(DrawStock()).position.hands[0]) == 3


def test_c19_whoever_melds_their_last_card_discards_none() -> None:
    table = table_of(hands=["Ks"], melds=[["Kd Kh Kc Ks Kd Kh Kc"]], pile="4s")
    out = table.apply(table.lay(table.play("Ks", onto=0)))
    assert out.position.closer == 0
    assert out.pile_codes == "4s"


def test_c20_one_melds_without_having_taken_the_pile() -> None:
    table = table_of(hands=["As Ad Ah 4c 5c"])
    assert table.refusal(table.lay("As Ad Ah")) is None


def test_c21_the_first_player_may_take_the_start_card() -> None:
    table = table_of(hands=["9d 9h Jo Ks 4c"], pile="9s", step=Step.DRAW)
    taken = table.apply(table.take("^ 9d 9h Jo"))
    assert taken.meld_codes() == ["9s 9d 9h Jo"]
    assert taken.hand_codes(0) == "Ks 4c"


@pytest.mark.parametrize("card", ["Ks", "4c", "3s", "2d", "Jo"])
def test_c56_any_held_card_may_be_discarded(card: str) -> None:
    table = table_of(hands=["Ks 4c 3s 2d Jo"])
    assert table.discard(card) in table.moves
    assert table.apply(table.discard(card)).pile_codes == card


def test_c58_c59_c60_counts_are_public() -> None:
    """A replica that knows no hidden card knows all counts, and who holds a single card."""
    table = table_of(hands=["Ks 4c", "9s", "Td Th Tc", ""], stock="+7")
    blind = table.position.seen(())
    assert blind.hand(Seat(1)) == ()
    assert [len(hand) for hand in blind.hands] == [2, 1, 3, 0]
    assert len(blind.stock) == 7


# -- what is common to all games


def test_x2_an_illegal_meld_leaves_the_pile_where_it_was() -> None:
    table = table_of(hands=["9d 9h Ks 4c"], pile="5c 9s", step=Step.DRAW)
    before = table.position
    assert table.refusal(table.take("^ 9d 9h")) == "C37"
    assert table.position == before
    assert table.pile_codes == "5c 9s"


def test_x7_all_seats_agree_on_counts_and_table() -> None:
    table = table_of(hands=["Ks 4c", "9s"], melds=[["7h 7d 7s"]], bonus=["3h"], totals=[5, -10])
    one, other = table.position.seen(()), table.position
    assert one.laid == other.laid
    assert one.hands == other.hands
    assert one.totals == other.totals == (5, -10)


MOVES: dict[type[Move], Move] = {
    Cut: Cut(0),
    ShowBonus: ShowBonus(()),
    DrawStock: DrawStock(),
    TakePile: TakePile(),
    TakeTop: TakeTop(()),
    LayMelds: LayMelds(()),
    Ask: Ask(),
    Answer: Answer(True),
    Pass: Pass(),
}
TIMELY: dict[Step, set[type[Move]]] = {
    Step.CUT: {Cut},
    Step.SHOW: {ShowBonus},
    Step.DRAW: {DrawStock, TakePile, TakeTop, Pass},
    Step.PLAY: {ShowBonus, LayMelds, Ask, Discard, Pass},
    Step.ANSWER: {Answer},
    Step.OVER: set(),
}


@pytest.mark.parametrize("step", TIMELY)
def test_x10_a_move_belongs_to_its_step(step: Step) -> None:
    table = table_of(hands=["Ks 4c 5c"], pile="9s", stock="+60", step=step)
    for kind, move in {**MOVES, Discard: table.discard("Ks")}.items():
        assert (table.refusal(move) == "X10") == (kind not in TIMELY[step]), (step, kind)


def test_x10_nobody_moves_before_cards_are_delivered() -> None:
    table = table_of(hands=["Ks 4c 5c"], step=Step.DRAW)
    drawing = table.position.apply(DrawStock())
    assert drawing.to_move is None
    assert drawing.legal_moves(Seat(0)) == ()
    with pytest.raises(IllegalMove, match="dealt") as refused:
        drawing.apply(table.discard("Ks"))
    assert refused.value.clause == "X10"


def test_x11_cards_come_from_the_hand_of_the_mover() -> None:
    table = table_of(hands=["Ks Kd 4c 5c", "Kh"], stock="Kc", totals=[-5])
    stranger = Play(table.hand("Ks Kd") + table.hand("Kh", seat=1))
    assert table.refusal(LayMelds((stranger,))) == "X11"
    assert table.refusal(Discard(*table.hand("Kh", seat=1))) == "X11"


def test_x11_a_card_is_named_once() -> None:
    table = table_of(hands=["Ks Kd 4c 5c 6c"], totals=[-5])
    king, other = table.hand("Ks Kd")
    assert table.refusal(LayMelds((Play((king, other, king)),))) == "X11"
    # Another slot with the face of a card that is shown already.
    liar = type(king)(table.hand("4c")[0].slot, king.card)
    assert table.refusal(LayMelds((Play((king, other, liar)),))) == "X11"


def test_x11_a_card_that_was_seen_keeps_its_face() -> None:
    table = table_of(hands=["Kh Ks 4c 8c"], pile="6d Kd", totals=[-5], step=Step.DRAW)
    table = table.apply(table.take("^ Kh Ks"))
    six = table.hand("6d")[0]
    liar = type(six)(six.slot, table.hand("4c")[0].card)
    assert table.refusal(Discard(liar)) == "X11"
    assert table.refusal(Discard(six)) is None


def test_x11_only_the_top_of_the_pile_is_melded_with_the_taking() -> None:
    table = table_of(
        hands=["Ks Kd 9s 9d 4c 5c"], pile="9h Kh", melds=[["5s 5d 5h"]], step=Step.DRAW
    )
    below = Play((*table.hand("9s 9d"), table.position.pile[0]))
    assert table.refusal(TakePile((table.play("^ Ks Kd"), below))) == "X11"
    after = table.apply(table.take("^ Ks Kd"))
    assert after.refusal(after.lay("9s 9d 9h")) is None
