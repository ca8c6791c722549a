"""Cards as points: distinct, bound to their deal, and found again when all locks are off."""

from __future__ import annotations

import pytest

from engine.games import GAMES
from engine.orders import Shuffle
from engine.slots import Slot
from protocol.cards_as_points import DeckPoints, card_points
from protocol.errors import Refused
from protocol.group import BASE, Point, Scalar
from protocol.lock_key import LockKey
from protocol.lock_state import LockState
from protocol.shuffle import draw_permutation, lock_and_shuffle
from protocol.unlock import unlock
from tests.protocol.seeded import seeded


def test_all_cards_are_distinct_and_unrelated_to_the_base() -> None:
    points = card_points(b"table", 1, 1, range(108))
    assert len(set(points)) == 108
    # If card i were i * B, some cards would be twice another card, or twice B.
    doubles = {Scalar.of(2) * point for point in (*points, BASE)}
    assert not doubles & set(points)


def test_a_second_deal_leaves_the_cards_of_the_first_in_their_slots() -> None:
    two, one = GAMES["canasta"].deck[:2], GAMES["canasta"].deck[:1]
    state = LockState().dealing(Shuffle(two), b"table", 1, 1)
    state = state.shuffled(0, BASE, state.last.deck.points)
    state = state.dealing(Shuffle(one, Slot(2)), b"table", 1, 2)
    state = state.shuffled(1, BASE, state.last.deck.points)
    assert [(deal.number, tuple(deal.keys)) for deal in state.deals] == [(1, (0,)), (2, (1,))]
    assert [state.face(Slot(slot)) for slot in range(3)] == [0, 1, 0]


@pytest.mark.parametrize(
    "place", [(b"other", 1, 1), (b"table", 2, 1), (b"table", 1, 2), (b"table", 11, 1)]
)
def test_each_deal_has_its_own_points(place: tuple[bytes, int, int]) -> None:
    assert not set(card_points(b"table", 1, 1, range(8))) & set(card_points(*place, range(8)))


def test_the_point_of_a_card_does_not_depend_on_the_other_cards() -> None:
    """A reshuffle has only a part of the deck, the discards."""
    all_points = card_points(b"table", 1, 2, range(20))
    assert card_points(b"table", 1, 2, [17, 3]) == (all_points[17], all_points[3])


def test_unlocked_points_lead_back_to_cards() -> None:
    deck = DeckPoints.fresh(b"table", 1, 1, [5, 7, 11, 13])
    entropy = seeded("deal")
    keys = [LockKey.generate(entropy) for _ in range(3)]
    points: tuple[Point, ...] = deck.points
    for key in keys:
        points = lock_and_shuffle(points, key, draw_permutation(4, entropy))
    for key in keys:
        assert [deck.card_number(point) for point in points] == [None] * 4
        points = unlock(key, points)
    assert sorted(deck.card_number(point) or 0 for point in points) == [5, 7, 11, 13]


def test_the_point_of_a_card_outside_the_deck_is_none() -> None:
    deck = DeckPoints.fresh(b"table", 1, 1, [5, 7, 11])
    first, second, _ = deck.points
    assert [deck.point(card) for card in (5, 6, 7, 12)] == [first, None, second, None]


@pytest.mark.parametrize("numbers", [[], [4, 4]])
def test_a_deck_without_cards_or_with_a_repeated_card_is_refused(numbers: list[int]) -> None:
    with pytest.raises(Refused):
        DeckPoints.fresh(b"table", 1, 1, numbers)
