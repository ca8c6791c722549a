"""Clauses of Kanastic that the cases in `spec/referee` cannot show, or only at great length."""

from itertools import permutations

import pytest

from engine.kanastic.constants import stage_of
from engine.moves import Discard, DrawStock
from engine.orders import Deal, Shuffle
from engine.turn import Step
from tests.engine.kanastic.tables import GAME, kanastic_table
from tests.engine.positions import Table, codes_of

_REST = " 4h 5h"


def laid_out(
    hand: str, named: str, run: str | None = None, onto: int | None = None, *, low: bool = False
) -> str:
    """Return the golden suit that the named cards make, by themselves or added to `run`.

    If they may not be laid, return the clause that forbids it.
    """
    melds = ["Kh Kd Kc"] if run is None else [run, "Kh Kd Kc"]
    table = kanastic_table(hands=[hand + _REST], melds=[melds])
    move = table.lay(table.play(named, onto, low=low))
    clause = table.refusal(move)
    melds_after = () if clause else table.apply(move).position.laid[0].melds
    return clause or next(
        codes for codes in (codes_of(meld.cards) for meld in melds_after) if "g" in codes
    )


@pytest.mark.parametrize("order", [*permutations(["6g", "7g", "8g", "9g"])][::5])
def test_k113_gold_cards_may_be_named_in_any_order(order: tuple[str, ...]) -> None:
    assert laid_out("6g 7g 8g 9g", " ".join(order)) == "6g 7g 8g 9g"


@pytest.mark.parametrize(
    ("named", "lies"),
    [
        ("9g Ar 7g 6g", "6g 7g Ar 9g"),  # downwards
        ("8g 7g 6g Ar", "Ar 6g 7g 8g"),
        ("6g 9g 7g Ar", "6g 7g Ar 9g"),  # one Artifact, one gap
        ("7g 9g Ar 6g Ar", "6g 7g Ar 9g Ar"),  # the card named last stands last
        ("Ar 8g 6g 7g", "Ar 6g 7g 8g"),
        ("7g 6g 8g Ar", "6g 7g 8g Ar"),
        ("8g Ar 6g 7g", "K113"),  # is the Artifact below or above?
        ("7g 6g 9g Ar Ar", "K113"),
        ("6g 7g Tg Ar", "K111"),
        ("4g Ag Kg Ar", "K112"),
        ("Ag Ar Qg Kg Jg", "K113"),
        ("Ar Ag Kg Qg", "K112"),  # downwards, from above the ace
    ],
)
def test_k113_only_artifacts_need_an_explicit_place(named: str, lies: str) -> None:
    golds = " ".join(sorted({*named.split()} - {"Ar"}))
    assert laid_out(f"{golds} Ar Ar", named) == lies


@pytest.mark.parametrize(
    ("named", "low", "lies"),
    [
        ("6g", False, "6g 7g 8g 9g"),
        ("5g 6g", False, "5g 6g 7g 8g 9g"),
        ("6g 5g", False, "5g 6g 7g 8g 9g"),
        ("Jg Tg", False, "7g 8g 9g Tg Jg"),
        ("Tg 6g", False, "6g 7g 8g 9g Tg"),  # at both ends
        ("Jg 5g Ar Ar", False, "5g Ar 7g 8g 9g Ar Jg"),
        ("5g Ar", False, "5g Ar 7g 8g 9g"),
        ("Ar 6g", False, "Ar 6g 7g 8g 9g"),
        ("6g Ar", False, "Ar 6g 7g 8g 9g"),  # at the same end as the gold card
        ("Ar Tg", False, "7g 8g 9g Tg Ar"),
        ("Ar", False, "7g 8g 9g Ar"),
        ("Ar", True, "Ar 7g 8g 9g"),
        ("6g Tg Ar", False, "6g 7g 8g 9g Tg Ar"),
        ("Tg 6g Ar", True, "Ar 6g 7g 8g 9g Tg"),
        ("Tg", True, "K111"),
        ("5g", False, "K111"),
        ("Qg Ar", False, "K111"),
    ],
)
def test_k112_k113_gold_cards_are_added_at_the_end_where_they_fit(
    named: str, low: bool, lies: str
) -> None:
    assert laid_out("5g 6g Tg Jg Qg Ar Ar", named, "7g 8g 9g", 0, low=low) == lies


def test_k44_k45_k46_k55_the_stage_depends_on_the_match_total() -> None:
    """All points are multiples of five, so "up to 1,495" in the rules means "less than 1,500"."""
    names = [stage_of(total, short_suits=False).name for total in range(-5, 5005)]
    assert names == 1505 * ["I"] + 1500 * ["II"] + 2000 * ["III"] + 5 * ["IV"]
    told = GAME.numbers()
    for number, name in enumerate(("I", "II", "III", "IV")):
        least = stage_of(told[f"stage_{number}"], short_suits=False)
        assert (least.name, told.get(f"opening_{number}")) == (name, least.points)
        assert told.get(f"stage_wilds_{number}") == least.wilds
        if number:
            before = stage_of(told[f"before_{number}"], short_suits=False)
            assert (before.least, told[f"stage_{number}"]) == (
                told[f"stage_{number - 1}"],
                told[f"before_{number}"] + 5,
            )


def last_card() -> Table:
    """Return a table at which seat 0 is about to draw the last card of the stock."""
    hands = ["4h 5h 6h", "4d 5d 6d", "4c 5c 6c", "4s 5s 6s"]
    return kanastic_table(hands=hands, stock="Kd", pile="9d 9h 9c", step=Step.DRAW)


def test_k86_the_draw_is_dealt_before_the_pile_is_shuffled() -> None:
    drawing = last_card().position.apply(DrawStock())
    assert [type(order) for order in drawing.orders] == [Deal]
    (order,) = drawing.deliver().orders
    assert isinstance(order, Shuffle)
    assert [card.code for card in order.cards] == ["9d", "9h", "9c"]


def test_k86a_a_rebuilt_stock_has_new_slots() -> None:
    table = last_card()
    used = set(table.cards)
    after = table.apply(DrawStock())
    assert used.isdisjoint(after.position.stock)
    assert after.position.stock[0] == max(used) + 1
    # The next rebuilt stock has new slots too, although the newest are then in hands and pile.
    second = after.apply(after.discard("4h"))
    for code in ("4d", "4c", "4s"):
        second = second.apply(DrawStock())
        second = second.apply(Discard(*second.hand(code)))
    assert min(second.position.stock) > max(after.position.stock)
