"""Rounds of Hand and Foot by a state machine, and whole matches counted twice."""

import pytest

from engine.games import GAMES
from engine.hand_and_foot.options import HandAndFootOptions
from tests.engine.hand_and_foot.naive_hand_and_foot import NaiveHandAndFoot
from tests.engine.machine import SETTINGS, RoundMachine
from tests.engine.simulation import play_checked

GAME = GAMES["hand_and_foot"]


class HandAndFootMachine(RoundMachine):
    """Random rounds of Hand and Foot, checked at each step."""

    game = GAME
    scorer = NaiveHandAndFoot


TestHandAndFootMachine = HandAndFootMachine.TestCase
TestHandAndFootMachine.settings = SETTINGS


@pytest.mark.parametrize("players", GAME.players)
def test_matches_of_all_sizes_end(players: int) -> None:
    match = play_checked(GAME, GAME.options(), players, 1, NaiveHandAndFoot)
    assert (len(match.sheets), match.over) == (4, True)


def test_matches_with_house_rules_end() -> None:
    options = HandAndFootOptions(rounds=2, draw=1, whole_pile=True, clean_books=0, dirty_books=2)
    for seed in range(2):
        match = play_checked(GAME, options, 4, seed, NaiveHandAndFoot)
        assert len(match.sheets) == 2
