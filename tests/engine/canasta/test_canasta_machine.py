"""Rounds of Canasta by a state machine, and whole matches counted twice."""

import pytest
from attrs import evolve

from engine.canasta.options import CanastaOptions
from engine.games import GAMES
from tests.engine.canasta.naive_canasta import NaiveCanasta
from tests.engine.machine import SETTINGS, RoundMachine
from tests.engine.simulation import play_checked

CANASTA = GAMES["canasta"]


class CanastaMachine(RoundMachine):
    """Random rounds of Canasta, checked at each step."""

    game = CANASTA
    scorer = NaiveCanasta


TestCanastaMachine = CanastaMachine.TestCase
TestCanastaMachine.settings = SETTINGS


@pytest.mark.parametrize("players", CANASTA.players)
def test_matches_of_all_sizes_end(players: int) -> None:
    """Play to the full 5000 points, with every step checked."""
    for seed in range(3):
        match = play_checked(CANASTA, CANASTA.options(), players, seed, NaiveCanasta)
        assert match.winner == match.totals.index(max(match.totals))


def test_sixty_matches_of_four() -> None:
    options = CanastaOptions(target=500, penalties=True)
    rounds = [
        len(play_checked(CANASTA, options, 4, seed, NaiveCanasta).sheets) for seed in range(60)
    ]
    assert min(rounds) == 1
    assert max(rounds) > 1


def test_matches_of_two_with_two_canastas_end() -> None:
    options = CanastaOptions(two_canastas=True, target=2000)
    for seed in range(5):
        assert play_checked(CANASTA, options, 2, seed, NaiveCanasta).over


def test_matches_with_the_other_readings_end() -> None:
    options = CanastaOptions(red_start=True, ask_again=True, must_take=False, penalties=True)
    for seed in range(3):
        assert play_checked(CANASTA, evolve(options, target=1000), 4, seed, NaiveCanasta).over
