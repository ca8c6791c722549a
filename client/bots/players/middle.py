"""Looks one move ahead, and guesses what it has not counted."""

from functools import partial

from client.bots import look_ahead
from client.bots.judges import judge_of
from client.bots.level import Level
from client.bots.weights import Tuning
from engine.sentences import N_

LEVEL = Level(
    N_("middle"),
    20,
    lambda game, rng, _budget: partial(
        look_ahead.choose, judge=judge_of(game, Tuning.BY_HAND), rng=rng
    ),
)
