"""Cards that a move names must lie in the hand, and may be named only once (X11)."""

import pytest

from engine.errors import IllegalMove
from engine.moves import Discard, LayMelds, Play, ShowBonus, TakePile
from engine.position import Position
from engine.slots import Shown
from engine.turn import Step
from tests.engine.positions import table_of


def refusal(position: Position, *named: Shown) -> str:
    with pytest.raises(IllegalMove) as refused:
        position.check(LayMelds((Play(named),)))
    assert refused.value.clause == "X11"
    return str(refused.value)


def test_x11_a_hidden_card_cannot_be_shown_as_two_cards() -> None:
    table = table_of("canasta", hands=["Ks Kh Kd 4c"])
    king, other, third = table.hand("Ks Kh Kd")
    twice = Shown(king.slot, other.card)
    assert "named twice" in refusal(table.position.seen(()), king, twice, third)


def test_x11_only_taking_the_pile_can_use_its_top() -> None:
    position = table_of("canasta", hands=["Ks 4c"], pile="9d").position
    with pytest.raises(IllegalMove, match="not in the hand"):
        position.check(Discard(position.pile[-1]))


def test_x11_a_card_cannot_be_in_two_places() -> None:
    table = table_of("canasta", hands=["3h Ks Kh Kd"])
    hidden = table.position.seen(())
    king, other, third = table.hand("Ks Kh Kd")
    same = Shown(other.slot, king.card)
    assert "One physical card" in refusal(hidden, king, same, third)
    with pytest.raises(IllegalMove, match="One physical card"):
        hidden.check(ShowBonus((king, same)))


def test_x11_k28_cards_come_from_the_hand_of_the_mover() -> None:
    table = table_of("canasta", hands=["Ks Kd 4c 5c", "Kh Kc 9c"])
    assert "not in the hand" in refusal(table.position, *table.hand("Ks Kd"), *table.hand("Kh", 1))
    assert "not in the hand" in refusal(table.position, *table.hand("Kh Kc 9c", seat=1))


def test_x11_a_card_that_was_seen_keeps_its_face() -> None:
    table = table_of("canasta", hands=["Kh Ks 4c 8c"], pile="6d Kd", totals=[-5], step=Step.DRAW)
    table = table.apply(table.take("^ Kh Ks"))
    six = table.hand("6d")[0]
    liar = Shown(six.slot, table.hand("4c")[0].card)
    assert table.refusal(Discard(liar)) == "X11"
    assert table.refusal(Discard(six)) is None


def test_x11_only_the_top_of_the_pile_can_be_melded_when_taking_it() -> None:
    table = table_of(
        "canasta", hands=["Ks Kd 9s 9d 4c 5c"], pile="9h Kh", melds=[["5s 5d 5h"]], step=Step.DRAW
    )
    below = Play((*table.hand("9s 9d"), table.position.pile[0]))
    assert table.refusal(TakePile((table.play("^ Ks Kd"), below))) == "X11"


def test_cards_that_leave_a_hand_are_no_longer_private() -> None:
    position = table_of("canasta", hands=["Ks Kh Kd 4c 5c"], melds=[["9s 9h 9d"]]).position
    kings = position.hand(position.turn.seat)[:3]
    after = position.apply(LayMelds((Play(kings),)))
    assert position.private.keys() - after.private.keys() == {shown.slot for shown in kings}
