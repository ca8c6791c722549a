"""Counts the cards, and plays the round out in its mind when it could go out."""

from functools import partial

from client.bots import play_out
from client.bots.judges import judge_of
from client.bots.level import Level
from client.bots.weights import Tuning
from engine.sentences import N_

LEVEL = Level(
    N_("strong"),
    30,
    lambda game, rng, _budget: partial(
        play_out.choose, judge=judge_of(game, Tuning.BY_TRIAL), rng=rng
    ),
)
