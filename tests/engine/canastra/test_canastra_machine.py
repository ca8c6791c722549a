"""Games of Canastra by a state machine, and whole games counted twice."""

from collections import Counter

import pytest
from hypothesis import settings

from engine.canastra.options import CanastraOptions
from engine.games import GAMES
from engine.moves import DrawStock, TakePile
from tests.engine.canastra.naive_canastra import NaiveCanastra
from tests.engine.machine import SETTINGS, RoundMachine
from tests.engine.simulation import at_random, eagerly, play_checked, states

CANASTRA = GAMES["canastra"]


class CanastraMachine(RoundMachine):
    """Random rounds of Canastra, checked at each step."""

    game = CANASTRA
    scorer = NaiveCanastra


TestCanastraMachine = CanastraMachine.TestCase
TestCanastraMachine.settings = settings(SETTINGS, max_examples=6)


@pytest.mark.parametrize("strict", [False, True])
def test_games_end_in_all_ways(strict: bool) -> None:
    options = CanastraOptions(require_canastra=strict)
    closers = Counter(
        play_checked(CANASTRA, options, 2, seed, NaiveCanastra).sheets[0].closer
        for seed in range(8)
    )
    assert closers[0]
    assert closers[1]


@pytest.mark.parametrize("player", [at_random, eagerly])
def test_nobody_is_ever_stuck(player: object) -> None:
    options = CanastraOptions(require_canastra=True)
    for seed in range(3):
        *_, (match, _, _) = states(CANASTRA, options, 2, seed, player)  # type: ignore[arg-type]
        assert match.over


def test_two_who_only_take_the_pile_are_ended_by_the_count_of_idle_turns() -> None:
    def hoarding(view, rng):  # type: ignore[no-untyped-def]
        if view.allows(TakePile()):
            return TakePile()
        if view.allows(DrawStock()):
            return DrawStock()
        return list(view.candidates())[-1]

    options = CanastraOptions(idle_turns=10)
    *_, (match, _, _) = states(CANASTRA, options, 2, 1, hoarding)
    assert match.over
    assert match.sheets[0].closer is None
