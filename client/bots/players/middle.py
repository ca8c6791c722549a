"""Looks one move ahead, and guesses what it has not counted."""

import random
from functools import partial

from client.bots.level import Budget, Chooser, Level
from engine.game import Game
from engine.sentences import N_


def _player(game: Game, rng: random.Random, _budget: Budget) -> Chooser:
    # Everybody who plays knows the names of the levels, and few have one think beside them.
    from client.bots import look_ahead  # noqa: PLC0415
    from client.bots.judges import judge_of  # noqa: PLC0415
    from client.bots.weights import Tuning  # noqa: PLC0415

    return partial(look_ahead.choose, judge=judge_of(game, Tuning.BY_HAND), rng=rng)


LEVEL = Level(N_("middle"), 20, _player)
