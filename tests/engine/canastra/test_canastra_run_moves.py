"""The runs and additions that `candidates` tries, and the cards that a run lacks (`growth`)."""

import pytest

from engine.canastra.deck import CANASTRA
from engine.canastra.run_growth import growth, with_natural
from tests.engine.canastra.brute_force_runs import ALL_RUNS, Faces
from tests.engine.canastra.canastra_tables import canastra_table


def test_an_ace_can_change_ends_only_in_a_sequence() -> None:
    position = canastra_table(melds=[["As Ah Ad", "As 2s 3s", "Qh Kh Ah", "5d 6d 7d"]]).position
    grown = [growth(meld) for meld in position.laid[0].melds]
    assert [len(each.lacks) for each in grown] == [0, 10, 10, 0]
    # `turned(1)`: a sequence of one card more, with the ace at the other end.
    assert grown[1].turned(1) == ("Js", "Qs", "Ks", "As")
    assert len(grown[1].turned(11)) == 14
    assert grown[2].turned(1) == ("Ah", "2h", "3h", "4h")


def test_cards_added_when_an_ace_moves_have_its_suit() -> None:
    """The suit is that of the ace, even if a two of another suit lies first."""
    position = canastra_table(melds=[["2h Ks As"]]).position
    grown = growth(position.laid[0].melds[0])
    assert grown.turned(1) == ("As", "2s", "3s", "4s")
    assert {"2s", "3s", "Qs"} < grown.lacks
    assert grown.lacks.isdisjoint(["As", "Ks", "2h"])


def test_a_two_that_stands_for_another_card_is_not_lacking() -> None:
    position = canastra_table(melds=[["2s Ks As"]]).position
    assert "2s" not in growth(position.laid[0].melds[0]).lacks


@pytest.mark.parametrize("faces", sorted(ALL_RUNS)[::80])
def test_growth_knows_exactly_the_cards_that_can_join(faces: Faces) -> None:
    (meld,) = canastra_table(melds=[[" ".join(faces)]]).position.laid[0].melds
    left = {card.code for card in CANASTRA if faces.count(card.code) < 2}
    joining = {code for code in left if tuple(sorted((*faces, code))) in ALL_RUNS}
    grown = growth(meld)
    assert grown.joining & left == joining
    for code in joining & grown.kin:
        after = tuple(sorted((*faces, code)))
        (longer,) = canastra_table(melds=[[" ".join(after)]]).position.laid[0].melds
        (card, *_) = (card for card in CANASTRA if card.code == code)
        assert with_natural(grown, card.rank).joining & left == growth(longer).joining & left
