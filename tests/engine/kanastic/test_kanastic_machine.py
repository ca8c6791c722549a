"""Rounds of Kanastic by a state machine, and whole matches counted twice."""

import pytest

from engine.kanastic.options import KanasticOptions
from tests.engine.kanastic.naive_kanastic import NaiveKanastic
from tests.engine.kanastic.tables import GAME
from tests.engine.machine import SETTINGS, RoundMachine
from tests.engine.simulation import play_checked


class KanasticMachine(RoundMachine):
    """Random rounds of Kanastic, checked at each step."""

    game = GAME
    scorer = NaiveKanastic
    totals = (-500, 0, 1600, 3500, 6000)


TestKanasticMachine = KanasticMachine.TestCase
TestKanasticMachine.settings = SETTINGS


@pytest.mark.parametrize("players", GAME.players)
def test_whole_matches_end(players: int) -> None:
    match = play_checked(GAME, GAME.options(), players, 1, NaiveKanastic)
    assert max(match.totals) >= 10_000
    assert match.winner == match.totals.index(max(match.totals))


@pytest.mark.parametrize("players", GAME.players)
def test_short_matches_end(players: int) -> None:
    for seed in range(8):
        assert play_checked(GAME, KanasticOptions(target=500), players, seed, NaiveKanastic).over


def test_a_match_in_which_suits_do_not_matter_ends() -> None:
    options = KanasticOptions(distinct_suits=False, rounds=2)
    assert len(play_checked(GAME, options, 4, 3, NaiveKanastic).sheets) == 2


@pytest.mark.parametrize("seed", range(3))
def test_matches_with_the_other_readings_end(seed: int) -> None:
    options = KanasticOptions(short_suits=True, leave_pile=True, double_totals=True, rounds=2)
    assert len(play_checked(GAME, options, 4, seed, NaiveKanastic).sheets) == 2
