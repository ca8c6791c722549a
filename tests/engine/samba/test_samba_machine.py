"""Rounds of Samba by a state machine, and whole matches counted twice."""

from collections import Counter

import pytest
from hypothesis import settings

from engine.games import GAMES
from engine.moves import LayMelds, TakePile
from engine.samba.options import SambaOptions
from tests.engine.machine import SETTINGS, RoundMachine
from tests.engine.samba.naive_samba import NaiveSamba
from tests.engine.simulation import at_random, eagerly, play_checked, states

SAMBA = GAMES["samba"]


class SambaMachine(RoundMachine):
    """Random rounds of Samba, checked at each step."""

    game = SAMBA
    scorer = NaiveSamba
    totals = (-500, 0, 1600, 3500, 7000)


TestSambaMachine = SambaMachine.TestCase
TestSambaMachine.settings = settings(SETTINGS, max_examples=6)


@pytest.mark.parametrize("canastas", [0, 2])
def test_rounds_end_in_all_ways(canastas: int) -> None:
    options = SambaOptions(rounds=1, canastas=canastas)
    closers = Counter(
        play_checked(SAMBA, options, players, seed, NaiveSamba).sheets[0].closer is None
        for players in (2, 4)
        for seed in range(3)
    )
    assert sum(closers.values()) == 6
    assert closers[False] or canastas


@pytest.mark.parametrize("player", [at_random, eagerly])
def test_nobody_is_ever_stuck(player: object) -> None:
    options = SambaOptions(rounds=1, canastas=5, draw=3, closed_sequences=False)
    moves: Counter[type] = Counter()
    for players in SAMBA.players:
        steps = list(states(SAMBA, options, players, 1, player))  # type: ignore[arg-type]
        moves.update(type(move) for _, move, _ in steps)
        assert steps[-1][0].over
    assert moves[LayMelds] > 20
    assert moves[TakePile] > 5
