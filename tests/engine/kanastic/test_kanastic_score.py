"""Counting a round (K20, K102-K110)."""

from typing import Any

import pytest

from tests.engine.kanastic.naive_kanastic import NaiveKanastic
from tests.engine.kanastic.tables import SEVENS, kanastic_table
from tests.engine.positions import Table

_SUIT = "4g 5g 6g 7g 8g 9g Tg"


def counted(*melds: str, **given: Any) -> Table:
    """Return the table after side 1 goes out with a discard; side 0 has `melds`."""
    bonus = given.pop("bonus", "")
    held = given.pop("held", "")
    partner = given.pop("partner", "")
    table = kanastic_table(
        hands=[held, given.pop("last", "4c"), partner],
        melds=[melds, ["Qd Qd Qc Qc Qs Sw Sw"]],
        bonus=[bonus],
        seat=1,
        **given,
    )
    after = table.apply(table.discard(table.hand_codes(1)))
    assert after.position.sheet is not None
    assert after.position.sheet.totals == NaiveKanastic().totals(after.position)
    return after


def clauses(table: Table, side: int = 0) -> dict[str, str]:
    assert table.position.sheet is not None
    return {item.what: item.clause for item in table.position.sheet.sides[side]}


@pytest.mark.parametrize(
    ("pots", "points"), [("Po", 100), ("Po Po", 200), ("Po Po Po", 300), ("Po Po Po Po", 1200)]
)
def test_k20_pots_count_for_their_side_even_without_a_meld(pots: str, points: int) -> None:
    table = counted(bonus=pots)
    assert table.scored(0) == {"Treasure Pots": points}
    assert clauses(table) == {"Treasure Pots": "K20"}


def test_k19a_a_pot_kept_in_hand_is_worth_nothing() -> None:
    table = counted(held="Po Po 4h")
    assert table.scored(0) == {"cards in hand": -5, "Treasure Pots kept in hand": 0}


def test_k102_everything_is_added_up() -> None:
    table = counted(SEVENS, "Kh Kd Kc", held="9h Sw", partner="Sh 4h", bonus="Po")
    assert table.scored(0) == {
        "natural canastas": 600,
        "cards melded": 35 + 30,
        "Treasure Pots": 100,
        "cards in hand": -15,
        "wild cards in hand": -25,
        "Shields in hand": -100,
    }
    assert table.scored(1) == {"mixed canastas": 300, "cards melded": 100, "going out": 100}


@pytest.mark.parametrize(
    ("meld", "what", "points"),
    [
        (SEVENS, "natural canastas", 600),
        (SEVENS + " 7g", "natural canastas", 600),
        (SEVENS + " Sw", "mixed canastas", 300),
        ("7h 7d 7c 7s Sw Sw Ar", "mixed canastas", 300),
        ("Ah Ah Ad Ad Ac Ac As", "natural ace canastas", 1000),
        ("Ah Ah Ad Ad Ar Ac As", "mixed ace canastas", 500),
    ],
)
def test_k103_canastas_count_by_what_is_in_them(meld: str, what: str, points: int) -> None:
    table = counted(meld)
    assert table.scored(0)[what] == points
    assert clauses(table)[what] == "K103"
    assert set(table.scored(0)) == {what, "cards melded"}


@pytest.mark.parametrize(
    ("meld", "what", "points", "cards"),
    [
        (_SUIT, "royal golden suits", 5000, 45),
        ("4g Ar 6g 7g 8g 9g Tg", "mixed golden suits", 2500, 90),
        ("4g Ar 6g Ar 8g 9g Ar", "mixed golden suits", 2500, 175),
    ],
)
def test_k104_golden_suits_count_by_what_is_in_them(
    meld: str, what: str, points: int, cards: int
) -> None:
    table = counted(meld)
    assert table.scored(0) == {what: points, "cards melded": cards}
    assert clauses(table)[what] == "K104"


def test_k105_a_longer_suit_counts_once() -> None:
    eleven = counted(" ".join(f"{rank}g" for rank in "456789TJQKA"))
    assert eleven.scored(0) == {"royal golden suits": 5000, "cards melded": 95}
    mixed = counted(_SUIT + " Ar")
    assert mixed.scored(0) == {"mixed golden suits": 2500, "cards melded": 95}


def test_k106_shorter_formations_count_by_their_cards() -> None:
    table = counted("7h 7d 7c 7h 7d 7c", "8g 9g Tg Jg Qg Kg")
    assert table.scored(0) == {"cards melded": 30 + 55}


@pytest.mark.parametrize(
    ("ranks", "points"), [("45678", 5), ("9TJQK", 10), ("A", 20)], ids=["low", "high", "ace"]
)
def test_k107_values_of_naturals(ranks: str, points: int) -> None:
    for rank in ranks:
        assert counted(held=f"{rank}h").scored(0) == {"cards in hand": -points}
        if rank != "Q":
            melded = counted(f"{rank}h {rank}d {rank}s")
            assert melded.scored(0) == {"cards melded": 3 * points}


def test_k107_values_of_wild_cards() -> None:
    assert counted("8h 8d 8s Sw Ar").scored(0) == {"cards melded": 15 + 25 + 50}


def test_k108_a_shield_in_hand_costs_a_hundred() -> None:
    table = counted(held="Sh", partner="Sh Sh")
    assert table.scored(0) == {"Shields in hand": -300}
    assert clauses(table) == {"Shields in hand": "K108"}


@pytest.mark.parametrize("bonus", [0, 100, 300, 1000])
def test_k109_the_bonus_for_going_out_is_an_option(bonus: int) -> None:
    table = counted(options={"going_out_bonus": bonus})
    assert table.scored(1)["going out"] == bonus
    assert "going out" not in table.scored(0)


def test_k110_held_wild_cards_cost_their_value() -> None:
    assert counted(held="Sw Ar", partner="Sw").scored(0) == {"wild cards in hand": -100}


def test_k98_doubling_comes_last_and_keeps_the_sign() -> None:
    table = counted(held="Sh 4h", bonus="Po", last="Ar")
    assert table.scored(0) == {
        "Treasure Pots": 100,
        "cards in hand": -5,
        "Shields in hand": -100,
        "doubled by the last discard": -5,
    }
    assert table.scored(1)["doubled by the last discard"] == 300 + 100 + 100
    assert clauses(table)["doubled by the last discard"] == "K98"


def test_each_item_says_how_many_there_are() -> None:
    table = counted(SEVENS, "Kh Kd Kc", held="9h Sw Sw Sh", bonus="Po Po", last="Ar")
    sheet = table.position.sheet
    assert sheet is not None
    assert [{item.what: item.count for item in items} for items in sheet.sides] == [
        {
            "natural canastas": 1,
            "cards melded": 10,
            "Treasure Pots": 2,
            "cards in hand": 1,
            "wild cards in hand": 2,
            "Shields in hand": 1,
            "doubled by the last discard": 1,
        },
        {
            "mixed canastas": 1,
            "cards melded": 7,
            "going out": 1,
            "doubled by the last discard": 1,
        },
    ]
