"""A match between its rounds, and hands that stay closed for good (X24)."""

import pytest
from attrs import evolve

from engine.moves import Cut
from engine.orders import OpenHand, Shuffle
from engine.slots import Seat
from tests.engine.positions import counted, ending
from tests.engine.simulation import begun


def test_closing_an_uncounted_round_is_refused() -> None:
    match = begun()
    for uncounted in (match, evolve(match, round=ending()), evolve(match, round=None)):
        assert not uncounted.round_over
        with pytest.raises(ValueError, match="not counted"):
            uncounted.close_round()


def test_c16_k14_k101_after_a_counted_round_the_next_player_deals() -> None:
    match = evolve(begun(), totals=(100, 200, 300), round=counted(ending()), dealer=Seat(2))
    assert match.round_over
    assert (match.round_number, match.mover, match.opening) == (1, None, False)
    closed = match.close_round()
    assert closed.totals == (90, 190, 295)
    assert (closed.dealer, closed.round_number, len(closed.sheets)) == (0, 2, 1)
    assert closed.round is not None
    assert (closed.round.dealer, closed.round.totals) == (0, (90, 190, 295))
    assert isinstance(closed.orders[0], Shuffle)


def test_x24_the_hands_of_absent_players_stay_closed() -> None:
    match = evolve(begun(), seating=(2, 0, 1), round=ending())
    assert match.opening
    assert not begun().opening
    assert match.round is not None
    left = match.leaving_closed([0])  # the player at seat 1
    assert left.round is not None
    assert left.round.closed == {1}
    seats = [order.seat for order in left.orders if isinstance(order, OpenHand)]
    assert seats == [2, 0]


def test_x24_while_cards_are_dealt_no_hand_is_closed() -> None:
    match = begun()
    assert match.round is not None
    dealing = evolve(match, round=match.round.apply(Cut(3)))
    assert dealing.leaving_closed([0]) == dealing


def test_an_ended_match_has_no_round() -> None:
    ended = begun().ended()
    assert (ended.round, ended.round_number, ended.mover) == (None, 0, None)
