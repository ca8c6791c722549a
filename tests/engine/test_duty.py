"""The bonus cards that the mover must lay at once: those drawn in this turn."""

from engine.notation.position_reader import parse_position


def cards_due(text: str) -> list[str] | None:
    """Return the codes of the cards that seat 1 must lay; None without a duty."""
    duty = parse_position(f"canasta 4\n{text}\n").duty
    return None if duty is None else [shown.card.code for shown in duty.cards]


def test_only_cards_drawn_in_this_turn_are_due() -> None:
    assert cards_due("turn 1 play drew 1\nhand 1 3h Ks 3d") == ["3d"]
    assert cards_due("turn 1 play drew 1\nhand 1 3h Ks 4d") is None


def test_all_bonus_cards_are_due_after_the_deal() -> None:
    assert cards_due("turn 1 show\nhand 1 3h Ks 3d") == ["3h", "3d"]
    assert cards_due("turn 1 show\nhand 1 Ks 4d") == []


def test_no_bonus_card_is_due_while_the_partner_is_asked() -> None:
    assert cards_due("turn 1 answer drew 1\nhand 1 3h Ks 3d") is None
