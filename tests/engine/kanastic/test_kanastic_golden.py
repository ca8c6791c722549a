"""Golden suits (K111-K116)."""

from itertools import permutations

import pytest

from engine.cards import Rank
from engine.kanastic.golden_suits import is_complete_suit, is_royal
from engine.moves import LayMelds
from tests.engine.kanastic.tables import kanastic_table
from tests.engine.positions import Table

_REST = " 4h 5h"


def laying(hand: str, *on_table: str) -> Table:
    """Return a table at which seat 0 may lay cards of `hand`; its side has melded."""
    return kanastic_table(hands=[hand + _REST], melds=[[*on_table, "Kh Kd Kc"]])


def test_k111_gold_cards_of_consecutive_ranks() -> None:
    table = laying("5g 6g 7g 8g 9g 6h 7s")
    assert table.refusal(table.lay("5g 6g 7g")) is None
    assert table.refusal(table.lay("5g 6g 8g")) == "K111"
    assert table.refusal(table.lay("5g 6h 7g")) == "K31"
    after = table.apply(table.lay("5g 6g 7g"))
    assert after.position.laid[0].melds[-1].low is Rank.FIVE


def test_k111_three_natural_golds_start_it() -> None:
    table = laying("5g 6g 7g Ar Ar")
    assert table.refusal(table.lay("5g 6g Ar")) == "K30"
    assert table.refusal(table.lay("5g Ar 7g Ar")) == "K30"
    assert table.refusal(table.lay("5g 6g 7g Ar Ar")) is None


def test_k111_three_artifacts_at_most() -> None:
    table = laying("5g 6g 7g Ar Ar Ar Ar")
    assert table.refusal(table.lay("5g 6g 7g Ar Ar Ar")) is None
    assert table.refusal(table.lay("5g 6g 7g Ar Ar Ar Ar")) == "K111"
    grown = laying("Ar", "5g Ar 7g Ar 9g Ar")
    assert grown.refusal(grown.lay(grown.play("Ar", 0))) == "K111"


@pytest.mark.parametrize("card", ["9h", "9s", "Sw"])
def test_k111_nothing_else_joins_it(card: str) -> None:
    table = laying(card, "6g 7g 8g")
    refusal = table.refusal(table.lay(table.play(card, 0)))
    assert refusal == ("K6" if card == "Sw" else "K111")


def test_k112_it_grows_at_either_end() -> None:
    table = laying("5g 9g Tg Ar", "6g 7g 8g")
    assert table.refusal(table.lay(table.play("9g Tg", 0))) is None
    assert table.refusal(table.lay(table.play("5g", 0, low=True))) is None
    assert table.refusal(table.lay(table.play("Ar 5g", 0, low=True))) is None
    assert table.refusal(table.lay(table.play("9g", 0, low=True))) == "K111"
    both = table.lay(table.play("9g", 0), table.play("5g", 0, low=True))
    after = table.apply(both)
    assert after.meld_codes(0)[0] == "5g 6g 7g 8g 9g"
    assert after.position.laid[0].melds[0].low is Rank.FIVE


def laid_out(table: Table, cards: str, onto: int | None = None, *, low: bool = False) -> str:
    """Return the golden suit made of the cards, new or the first one, or else the refusal."""
    move = table.lay(table.play(cards, onto, low=low))
    return table.refusal(move) or next(
        codes for codes in table.apply(move).meld_codes(0) if "g" in codes
    )


@pytest.mark.parametrize("order", [*permutations(["6g", "7g", "8g", "9g"])])
def test_k113_gold_cards_may_be_named_in_any_order(order: tuple[str, ...]) -> None:
    assert laid_out(laying("6g 7g 8g 9g"), " ".join(order)) == "6g 7g 8g 9g"


@pytest.mark.parametrize(
    ("named", "lies"),
    [
        ("9g Ar 7g 6g", "6g 7g Ar 9g"),  # downwards
        ("8g 7g 6g Ar", "Ar 6g 7g 8g"),
        ("6g 9g 7g Ar", "6g 7g Ar 9g"),  # one Artifact, one gap
        ("7g 9g Ar 6g Ar", "6g 7g Ar 9g Ar"),  # what is named last stands last
        ("Ar 8g 6g 7g", "Ar 6g 7g 8g"),
        ("7g 6g 8g Ar", "6g 7g 8g Ar"),
        ("8g Ar 6g 7g", "K113"),  # below or above?
        ("7g 6g 9g Ar Ar", "K113"),
        ("6g 7g Tg Ar", "K111"),
        ("4g Ag Kg Ar", "K112"),
        ("Ag Ar Qg Kg Jg", "K113"),
        ("Ar Ag Kg Qg", "K112"),  # downwards, from above the ace
    ],
)
def test_k113_only_an_artifact_needs_its_place_said(named: str, lies: str) -> None:
    golds = " ".join(sorted({*named.split()} - {"Ar"}))
    assert laid_out(laying(f"{golds} Ar Ar"), named) == lies


@pytest.mark.parametrize(
    ("named", "lies"),
    [
        ("6g", "6g 7g 8g 9g"),
        ("5g 6g", "5g 6g 7g 8g 9g"),
        ("6g 5g", "5g 6g 7g 8g 9g"),
        ("Jg Tg", "7g 8g 9g Tg Jg"),
        ("Tg 6g", "6g 7g 8g 9g Tg"),  # at both ends
        ("Jg 5g Ar Ar", "5g Ar 7g 8g 9g Ar Jg"),
        ("5g Ar", "5g Ar 7g 8g 9g"),
        ("Ar 6g", "Ar 6g 7g 8g 9g"),
        ("6g Ar", "Ar 6g 7g 8g 9g"),  # with the gold card
        ("Ar Tg", "7g 8g 9g Tg Ar"),
        ("Ar", "7g 8g 9g Ar"),
        ("6g Tg Ar", "6g 7g 8g 9g Tg Ar"),
        ("5g", "K111"),
        ("Qg Ar", "K111"),
    ],
)
def test_k113_gold_cards_find_their_end(named: str, lies: str) -> None:
    assert laid_out(laying("5g 6g Tg Jg Qg Ar Ar", "7g 8g 9g"), named, 0) == lies


def test_k113_the_low_end_is_said_for_artifacts() -> None:
    table = laying("6g Tg Ar Ar", "7g 8g 9g")
    assert laid_out(table, "Ar", 0, low=True) == "Ar 7g 8g 9g"
    assert laid_out(table, "Tg 6g Ar", 0, low=True) == "Ar 6g 7g 8g 9g Tg"


def test_k112_it_lies_within_four_and_ace() -> None:
    high = laying("Ar", "Qg Kg Ag")
    assert high.refusal(high.lay(high.play("Ar", 0))) == "K112"
    assert high.refusal(high.lay(high.play("Ar", 0, low=True))) is None
    low = laying("Ar", "4g 5g 6g")
    assert low.refusal(low.lay(low.play("Ar", 0, low=True))) == "K112"
    assert low.refusal(low.lay(low.play("Ar", 0))) is None
    new = laying("Kg Ag 4g Ar Qg")
    assert new.refusal(new.lay("Kg Ag 4g")) == "K112"  # the ace is high alone
    assert new.refusal(new.lay("Qg Kg Ag Ar")) == "K112"


def test_k112_all_eleven_golds_make_one_suit() -> None:
    golds = " ".join(f"{rank}g" for rank in "456789TJQKA")
    table = kanastic_table(hands=[golds + " 4h 5h"], melds=[["Kh Kd Kc"]])
    after = table.apply(table.lay(golds))
    assert is_complete_suit(after.position.laid[0].melds[1])


def test_k112_only_a_golden_suit_has_a_low_end() -> None:
    table = laying("9h 9d 9c 8h 5g 6g 7g", "8d 8c 8s")
    assert table.refusal(table.lay(table.play("8h", 0, low=True))) == "K112"
    assert table.refusal(table.lay(table.play("9h 9d 9c", low=True))) == "K112"
    assert table.refusal(table.lay(table.play("5g 6g 7g", low=True))) == "K112"


def test_k113_the_place_of_an_artifact_is_its_rank() -> None:
    table = laying("5g 6g Ar 8g 7g")
    after = table.apply(table.lay("5g 6g Ar 8g"))
    golden = len(after.meld_codes(0)) - 1
    # The gold seven is no substitute for the Artifact, nor does it fit at an end.
    for low in (False, True):
        assert after.refusal(after.lay(after.play("7g", golden, low=low))) == "K111"
    first = laying("Ar 6g 7g 8g")
    assert first.apply(first.lay("Ar 6g 7g 8g")).position.laid[0].melds[-1].low is Rank.FIVE


def test_k114_an_artifact_makes_a_royal_suit_mixed() -> None:
    table = laying("Ar", "5g 6g 7g 8g 9g Tg Jg")
    before = table.position.laid[0].melds[0]
    assert is_complete_suit(before)
    assert is_royal(before)
    after = table.apply(table.lay(table.play("Ar", 0))).position.laid[0].melds[0]
    assert is_complete_suit(after)
    assert not is_royal(after)


def test_k115_a_side_may_have_several_and_they_stay_apart() -> None:
    table = laying("7g 8g 9g Tg", "4g 5g 6g")
    after = table.apply(table.lay("8g 9g Tg"), table.lay(table.play("7g", 0)))
    assert after.meld_codes(0) == ["4g 5g 6g 7g", "Kh Kd Kc", "8g 9g Tg"]


def test_k116_the_partner_builds_it_too() -> None:
    table = kanastic_table(hands=["4h 5h", "", "9g 4d 5d"], melds=[["6g 7g 8g"]], seat=2)
    assert table.refusal(table.lay(table.play("9g", 0))) is None
    assert LayMelds((table.play("9g", 0),)) in table.moves


def test_k116_it_may_be_the_first_meld() -> None:
    table = kanastic_table(hands=["9g Tg Jg Ar 4h 5h"])
    assert table.refusal(table.lay("9g Tg Jg Ar")) is None  # 80 points
    assert table.refusal(table.lay("9g Tg Jg")) == "K44"  # 30 points
