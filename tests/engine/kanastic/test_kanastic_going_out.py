"""Going out (K95-K101)."""

from typing import Any

import pytest

from engine.moves import Answer, Ask
from engine.turn import Step
from tests.engine.kanastic.tables import SEVENS, kanastic, kanastic_table
from tests.engine.positions import Table

_SUIT = "4g 5g 6g 7g 8g 9g Tg"


def about_to_end(*melds: str, hand: str = "4h", seats: int = 4) -> Table:
    return kanastic_table(hands=[hand, "Kh Kd", "Qh", "Jh Jd"][:seats], melds=[melds], seats=seats)


def test_k95_the_round_goes_on_while_everybody_has_cards() -> None:
    table = about_to_end(SEVENS, hand="4h 5h")
    after = table.apply(table.discard("4h"))
    assert after.position.turn.step is Step.DRAW
    assert after.position.sheet is None


def test_k95_and_ends_when_somebody_has_none() -> None:
    table = about_to_end(SEVENS)
    after = table.apply(table.discard("4h"))
    assert after.position.turn.step is Step.OVER
    assert after.position.closer == 0
    assert after.position.sheet is not None
    assert after.position.to_move is None


def test_k96_the_last_card_is_discarded_and_not_melded() -> None:
    table = about_to_end(SEVENS, hand="7g")
    assert table.refusal(table.lay(table.play("7g", 0))) == "K96"
    assert table.refusal(table.discard("7g")) is None
    all_of_it = about_to_end(SEVENS, hand="Ah Ad Ac")
    assert all_of_it.refusal(all_of_it.lay("Ah Ad Ac")) == "K96"


@pytest.mark.parametrize(
    ("melds", "refusal"),
    [
        ((), "K97"),
        (("7h 7d 7c 7h 7d 7c", "Kh Kd Kc"), "K97"),
        (("5g 6g 7g 8g 9g Tg",), "K97"),
        ((SEVENS,), None),
        (("7h 7d 7c 7h Sw Sw Ar",), None),
        ((_SUIT,), None),
        (("4g Ar 6g Ar 8g Ar Tg",), None),
    ],
)
def test_k97_the_side_has_a_canasta_or_a_golden_suit(
    melds: tuple[str, ...], refusal: str | None
) -> None:
    hand = kanastic_table(hands=["4h"], melds=[melds])
    assert hand.refusal(hand.discard("4h")) == refusal
    # Nor may one meld down to the last card.
    two = kanastic_table(hands=["4h Ah Ad Ac 5h"], melds=[melds])
    assert two.refusal(two.lay("Ah Ad Ac")) is None
    one = kanastic_table(hands=["4h Ah Ad Ac"], melds=[melds])
    assert one.refusal(one.lay("Ah Ad Ac")) == refusal


def test_k97_the_canasta_of_the_partner_counts_and_that_of_others_does_not() -> None:
    table = kanastic_table(hands=["4h"], melds=[[], [SEVENS]])
    assert table.refusal(table.discard("4h")) == "K97"


def test_k97_first_melds_and_canasta_may_come_in_the_same_turn() -> None:
    table = kanastic_table(hands=["Ah Ah Ad Ad Ac Ac As 4h"])
    after = table.apply(table.lay("Ah Ah Ad Ad Ac Ac As"))
    assert after.apply(after.discard("4h")).position.closer == 0


@pytest.mark.parametrize("card", ["Sw", "Ar"])
def test_k98_a_wild_card_as_last_discard_doubles_for_all(card: str) -> None:
    table = about_to_end(SEVENS, hand=card)
    plain = about_to_end(SEVENS, hand="4h")
    once, twice = plain.apply(plain.discard("4h")), table.apply(table.discard(card))
    assert once.position.sheet is not None
    assert twice.position.sheet is not None
    assert once.position.sheet.totals == (600 + 35 + 100 - 10, -40)
    assert twice.position.sheet.totals == (2 * 725, -80)


@pytest.mark.parametrize("card", ["Sh", "4h"])
def test_k98_no_other_card_does(card: str) -> None:
    table = about_to_end(SEVENS, hand=card)
    assert "doubled by the last discard" not in table.apply(table.discard(card)).scored(0)


def test_k98_three_sides_are_doubled_too() -> None:
    table = about_to_end(SEVENS, hand="Sw", seats=3)
    after = table.apply(table.discard("Sw")).position
    assert after.sheet is not None
    assert after.sheet.totals == (2 * 735, -40, -20)


def asked(hand: str = "4h 5h 6h", *melds: str, **given: Any) -> Table:
    return kanastic_table(hands=[hand, "", "Qh Qd"], melds=[melds or (SEVENS,)], **given)


def test_k99_the_partner_answers_yes_or_no() -> None:
    table = asked().apply(Ask())
    assert (table.position.turn.step, table.position.to_move) == (Step.ANSWER, 2)
    assert table.position.legal_moves(table.position.members(table.position.side)[1]) == (
        Answer(True),
        Answer(False),
    )
    assert table.refusal(table.discard("4h")) == "X10"


def test_k99_a_no_forbids_going_out_in_this_turn() -> None:
    table = asked("4h Ah Ad Ac").apply(Ask(), Answer(False))
    assert kanastic(table).denied
    assert table.refusal(table.lay("Ah Ad Ac")) == "K99"
    assert table.refusal(table.discard("4h")) is None


def test_k99_a_yes_permits_and_does_not_oblige() -> None:
    table = asked("4h Ah Ad Ac").apply(Ask(), Answer(True))
    assert table.refusal(table.lay("Ah Ad Ac")) is None
    assert table.refusal(table.discard("Ah")) is None


def test_k99_a_no_is_over_with_the_turn() -> None:
    table = asked("4h Ah Ad Ac", seats=4).apply(Ask(), Answer(False))
    after = table.apply(table.discard("4h"))
    assert after.position.turn.answer is None


def test_k99_a_no_does_not_bar_the_discard_before_the_old_pile() -> None:
    table = kanastic_table(
        hands=["Ah Ad 8s 4h", "", "Qh Qd"], pile="9d 9h Ac", melds=[["8h 8d 8c"]], step=Step.DRAW
    )
    table = table.apply(table.take("^ Ah Ad"), Ask(), Answer(False))
    one = table.apply(table.lay(table.play("8s", 0)))
    assert one.refusal(one.discard("4h")) is None


def test_k99_one_asks_once_a_turn_after_drawing() -> None:
    table = asked()
    assert table.apply(Ask(), Answer(True)).refusal(Ask()) == "K99"
    assert asked(step=Step.DRAW).refusal(Ask()) == "X10"


def test_k99_nobody_need_ask() -> None:
    table = asked("4h")
    assert table.refusal(table.discard("4h")) is None


@pytest.mark.parametrize("seats", [2, 3])
def test_k99_without_a_partner_there_is_nobody_to_ask(seats: int) -> None:
    table = kanastic_table(hands=["4h 5h"], seats=seats)
    assert table.refusal(Ask()) == "K99"


def test_k99_one_asks_before_melding_down_to_the_last_card() -> None:
    # A No could not be obeyed: the last card must be discarded.
    table = asked("Ah Ad Ac 4h")
    assert table.refusal(Ask()) is None
    one = table.apply(table.lay("Ah Ad Ac"))
    assert one.refusal(Ask()) == "K99"
    assert one.moves == (one.discard("4h"),)


def test_k100_everybody_sees_how_many_cards_a_hand_has() -> None:
    assert [len(hand) for hand in asked().position.seen(()).hands] == [3, 0, 2, 0]
