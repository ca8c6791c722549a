"""The level `middle` looks one move ahead, and does not count cards."""

import random
from functools import partial

from client.bots.level import Budget, Chooser, Level
from engine.game import Game
from engine.sentences import N_


def _player(game: Game, rng: random.Random, _budget: Budget) -> Chooser:
    # Lazy imports: every display needs the names of the levels, few need the code of this one.
    from client.bots import one_move_ahead  # noqa: PLC0415
    from client.bots.evaluators import evaluator_of  # noqa: PLC0415
    from client.bots.weights import Tuning  # noqa: PLC0415

    return partial(one_move_ahead.choose, evaluator=evaluator_of(game, Tuning.BY_HAND), rng=rng)


LEVEL = Level(
    N_("middle"),
    20,
    _player,
    about=N_("Weighs each move for itself, and does not count the cards."),
)
