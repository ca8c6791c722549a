"""A match between its rounds: uncounted rounds, the next dealer, and the end of the match."""

import pytest
from attrs import evolve

from engine.orders import Shuffle
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


def test_an_ended_match_has_no_round() -> None:
    ended = begun().ended()
    assert (ended.round, ended.round_number, ended.mover) == (None, 0, None)
