"""Red threes (C62-C67) and black threes (C68-C69)."""

from typing import Any

import pytest

from engine.errors import IllegalMove
from engine.moves import DrawStock, ShowBonus
from engine.turn import Step
from tests.engine.canasta.tables import canasta_table, position_of
from tests.engine.positions import Table

CANASTA = ["9s 9s 9h 9h 9d 9d 9c"]


def drawn(stock: str, hand: str = "Ks 4c", **more: Any) -> Table:
    """Return a table at which seat 0 has just drawn the first card of `stock`."""
    table = canasta_table(hands=[hand], stock=stock, step=Step.DRAW, **more)
    return table.apply(DrawStock())


def test_c62_red_threes_are_never_melded_nor_discarded() -> None:
    table = drawn("3h Kd Kh", "3d 3d 3s Ks 4c 5c 6c", totals=[-5])
    assert table.refusal(table.lay("3h 3d 3d")) == "C62"
    assert table.refusal(table.lay("3h 3d 3s")) == "C62"
    assert table.refusal(table.discard("3h")) == "C62"
    melded = canasta_table(hands=["3h 4c 5c"], melds=[["3s 3c 3s"]])
    assert melded.refusal(melded.lay(melded.play("3h", onto=0))) == "C62"


def test_c62_who_discards_a_drawn_red_three_is_told_to_lay_it() -> None:
    table = drawn("3h +3", "3d Ks 4c")
    with pytest.raises(IllegalMove, match="never discarded: lay it on the table"):
        table.position.check(table.discard("3h"))
    with pytest.raises(IllegalMove, match="never discarded\\. "):  # C64: it is too late to lay it
        table.position.check(table.discard("3d"))


def test_c62_only_red_threes_are_laid_as_such() -> None:
    table = drawn("Kd +3")
    assert table.refusal(table.show("Kd")) == "C62"
    assert table.refusal(table.show("Ks")) == "C62"


def test_c63_c64_a_red_three_of_the_hand_is_not_laid_late() -> None:
    table = drawn("Kd +3", "3h Ks 4c")
    assert table.refusal(table.show("3h")) == "C64"
    assert table.refusal(ShowBonus(())) == "C64"


def test_c64_a_drawn_red_three_is_laid_and_replaced_until_none_comes() -> None:
    table = drawn("3h 3d Kd Kh")
    assert table.moves == (table.show("3h"),)
    table = table.apply(table.show("3h"))
    assert table.hand_codes(0) == "Ks 4c 3d"
    assert table.moves == (table.show("3d"),)
    table = table.apply(table.show("3d"))
    assert table.hand_codes(0) == "Ks 4c Kd"
    assert table.bonus_codes() == "3h 3d"
    assert len(table.position.stock) == 1


def test_c64_red_threes_among_the_replacements_are_laid_together() -> None:
    table = canasta_table(
        hands=["Ks 4c"], stock="3h Kd 3d Kh Kc +3", step=Step.DRAW, debts=(2, 0, 0, 0)
    ).apply(DrawStock())
    assert table.moves == (table.show("3h 3d"),)
    table = table.apply(table.show("3h 3d"))
    assert table.hand_codes(0) == "Ks 4c Kd Kh Kc"
    assert position_of(table).debts == (0, 0, 0, 0)


def test_c64_the_duty_is_offered_to_its_holder_only() -> None:
    """No verdict depends on the hidden card: without the face all other moves are there (X12)."""
    table = drawn("3h Kd Kh")
    blind = table.position.seen(())
    assert not [move for move in blind.candidates() if isinstance(move, ShowBonus) and move.cards]
    assert blind.allows(table.discard("Ks"))
    assert table.refusal(table.discard("Ks")) is None


def test_c65_a_red_three_in_a_taken_pile_is_laid_and_not_replaced() -> None:
    table = canasta_table(
        hands=["9d 9h Jo 4c 5c"], pile="3h 3s 9s", step=Step.DRAW, stock="+5", debts=(1, 0, 0, 0)
    )
    after = table.apply(table.take("^ 9d 9h Jo"))
    assert after.bonus_codes() == "3h"
    assert after.hand_codes(0) == "4c 5c 3s"
    assert len(after.position.stock) == 5
    assert position_of(after).debts == (1, 0, 0, 0)


def test_c65_it_is_laid_also_from_right_below_the_top() -> None:
    table = canasta_table(hands=["9d 9h Jo 4c 5c"], pile="3h 9s", step=Step.DRAW)
    assert table.apply(table.take("^ 9d 9h Jo")).bonus_codes() == "3h"


def ended(**more: Any) -> Table:
    """Return the table after the next player took nothing from an empty stock: all is counted."""
    table = canasta_table(stock="", pile="Ks", step=Step.DRAW, seat=1, **more)
    return table.apply(next(iter(table.moves)))


@pytest.mark.parametrize(
    ("threes", "points"), [("3h", 100), ("3h 3d", 200), ("3h 3h 3d", 300), ("3h 3h 3d 3d", 800)]
)
def test_c66_red_threes_are_100_each_and_800_all_four(threes: str, points: int) -> None:
    table = ended(bonus=[threes], melds=[["4s 4d 4h"]])
    assert table.scored()["red threes"] == points


@pytest.mark.parametrize(("threes", "points"), [("3h", -100), ("3h 3h 3d 3d", -800)])
def test_c67_red_threes_of_a_side_that_never_opened_cost(threes: str, points: int) -> None:
    assert ended(bonus=[threes]).scored()["red threes"] == points


def test_c66_four_red_threes_on_two_sides_are_no_800() -> None:
    table = ended(bonus=["3h 3h", "3d 3d"], melds=[["4s 4d 4h"], ["5s 5d 5h"]])
    assert table.scored(0)["red threes"] == table.scored(1)["red threes"] == 200


# -- black threes


def test_c68_black_threes_are_no_canasta_and_no_ordinary_meld() -> None:
    table = canasta_table(hands=["3s 3c 3s 3c 2s Ks Kd"], melds=[CANASTA])
    for codes in ("3s 3c 3s", "3s 3c 3s 3c", "3s 3c 2s"):
        assert table.refusal(table.lay(codes)) == "C69"
    with_wilds = canasta_table(hands=["3s 3c 3s 3c 2s 2d Jo"], melds=[CANASTA])
    assert with_wilds.refusal(with_wilds.lay("3s 3c 3s 3c 2s 2d Jo")) == "C69"


@pytest.mark.parametrize(
    ("meld", "clause"),
    [
        ("3s 3c 3s", None),
        ("3s 3c 3s 3c", None),
        ("3s 3c 2s", None),
        ("3s 3c Jo", None),
        ("3s 3c 3s Jo", "C69"),
        ("3s 3c 2s Jo", "C69"),
        ("3s 3c", "C25"),
        ("3s 2s Jo", "C26"),
    ],
)
@pytest.mark.parametrize("last", ["", "Kd"])
def test_c69_who_goes_out_lays_three_four_or_two_with_a_wild(
    meld: str, clause: str | None, last: str
) -> None:
    table = canasta_table(hands=[f"{meld} {last}"], melds=[CANASTA])
    move = table.lay(meld)
    assert table.refusal(move) == clause
    assert table.offers(move) == (clause is None)
    if clause is None:
        after = table.apply(move)
        if last:
            assert after.moves == (after.discard("Kd"),)
            after = after.apply(after.discard("Kd"))
        assert after.position.closer == 0


def test_c69_not_without_a_canasta() -> None:
    table = canasta_table(hands=["3s 3c 3s Kd"], melds=[["9s 9c 9d"]])
    assert table.refusal(table.lay("3s 3c 3s")) == "C85"
    out = canasta_table(hands=["3s 3c 3s"], melds=[["9s 9c 9d"]])
    assert out.refusal(out.lay("3s 3c 3s")) == "C70"


def test_c69_they_may_be_laid_with_all_the_rest() -> None:
    table = canasta_table(hands=["3s 3c 3s 9s 9c 9d 9h 9s 9c Jo Kd"])
    after = table.apply(table.lay("3s 3c 3s", "9s 9c 9d 9h 9s 9c Jo"))
    assert after.apply(after.discard("Kd")).position.closer == 0


def test_c69_a_fourth_black_three_joins_the_three() -> None:
    table = canasta_table(hands=["3s 3c 3s 3c"], melds=[CANASTA])
    after = table.apply(table.lay("3s 3c 3s"))
    assert table.apply(table.lay("3s 3c 3s 3c")).position.closer == 0
    assert after.apply(after.lay(after.play("3c", onto=1))).position.closer == 0
    wild = canasta_table(hands=["3s 3c 3s Jo"], melds=[CANASTA])
    after = wild.apply(wild.lay("3s 3c 3s"))
    assert after.refusal(after.lay(after.play("Jo", onto=1))) == "C69"
