"""Cards that a move names lie in the hand, each once (X11)."""

import pytest

from engine.errors import IllegalMove
from engine.moves import Discard, LayMelds, Play, ShowBonus
from engine.position import Position
from engine.slots import Shown
from tests.engine.positions import table_of


def refusal(position: Position, *named: Shown) -> str:
    with pytest.raises(IllegalMove) as refused:
        position.check(LayMelds((Play(named),)))
    assert refused.value.clause == "X11"
    return str(refused.value)


def test_x11_a_hidden_card_is_not_shown_as_two() -> None:
    table = table_of("canasta", hands=["Ks Kh Kd 4c"])
    king, other, third = table.hand("Ks Kh Kd")
    twice = Shown(king.slot, other.card)
    assert "named twice" in refusal(table.position.seen(()), king, twice, third)


def test_x11_the_top_of_the_pile_is_shown_by_who_takes_it_alone() -> None:
    position = table_of("canasta", hands=["Ks 4c"], pile="9d").position
    with pytest.raises(IllegalMove, match="not in the hand"):
        position.check(Discard(position.pile[-1]))


def test_x11_a_card_is_not_in_two_places() -> None:
    table = table_of("canasta", hands=["3h Ks Kh Kd"])
    hidden = table.position.seen(())
    king, other, third = table.hand("Ks Kh Kd")
    same = Shown(other.slot, king.card)
    assert "One physical card" in refusal(hidden, king, same, third)
    with pytest.raises(IllegalMove, match="One physical card"):
        hidden.check(ShowBonus((king, same)))


def test_of_cards_that_have_left_a_hand_nothing_is_kept() -> None:
    position = table_of("canasta", hands=["Ks Kh Kd 4c 5c"], melds=[["9s 9h 9d"]]).position
    kings = position.hand(position.turn.seat)[:3]
    after = position.apply(LayMelds((Play(kings),)))
    assert position.private.keys() - after.private.keys() == {shown.slot for shown in kings}
