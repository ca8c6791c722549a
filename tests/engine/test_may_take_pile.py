"""The next seat's chance to take the pile, as far as others can see it. Hints are based on it."""

import pytest

from engine.slots import Seat
from engine.turn import Step
from tests.engine.kanastic.tables import kanastic_table


@pytest.mark.parametrize(("waiting", "may"), [([], True), ([1], False), ([0], True)])
def test_k73_the_partner_of_the_opener_cannot_take_the_pile(waiting: list[int], may: bool) -> None:
    table = kanastic_table(
        hands=["", "7h 7d 4s 5s 6s 8s"],
        melds=[(), ["Ah Ad Ac"]],
        pile="4d 5d 7c",
        seat=1,
        step=Step.DRAW,
        waiting=frozenset(map(Seat, waiting)),
    )
    assert table.position.may_take_pile() == may


@pytest.mark.parametrize(
    ("hand", "top", "may"),
    [
        ("8g 9g 4s", "7g", True),
        ("6g 8g 4s", "7g", True),
        ("5g 9g 4s", "7g", False),
        ("Kg Ag 4s", "7g", False),
        ("4g 5g 6g 4s", "8g", False),
        ("8g 9g Tg 4s", "6g", False),
        ("Qg Kg 4s", "Ag", True),
        ("5g 6g 4s", "4g", True),
    ],
)
def test_k58_a_gold_card_is_taken_with_its_gold_neighbours(hand: str, top: str, may: bool) -> None:
    table = kanastic_table(hands=[hand], pile=f"4d 5d {top}", step=Step.DRAW)
    assert table.position.may_take_pile() == may


@pytest.mark.parametrize(("discards", "may"), [("9c 9d 9h 7c", True), ("9c Sw 9h 7c", False)])
def test_k75_a_blocked_pile_cannot_be_taken(discards: str, may: bool) -> None:
    table = kanastic_table(hands=["7h 7d 4s"], pile="9d 9h 7c", discards=discards, step=Step.DRAW)
    assert table.position.may_take_pile() == may
