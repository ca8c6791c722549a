"""The level `strong` counts the cards, and plays rounds out when it could go out."""

import random
from functools import partial

from client.bots.level import Budget, Chooser, Level
from engine.game import Game
from engine.sentences import N_


def _player(game: Game, rng: random.Random, _budget: Budget) -> Chooser:
    # Lazy imports: every display needs the names of the levels, few need the code of this one.
    from client.bots import play_out  # noqa: PLC0415
    from client.bots.evaluators import evaluator_of  # noqa: PLC0415
    from client.bots.weights import Tuning  # noqa: PLC0415

    return partial(play_out.choose, evaluator=evaluator_of(game, Tuning.BY_TRIAL), rng=rng)


LEVEL = Level(
    N_("strong"),
    30,
    _player,
    about=N_("Counts the cards, and plays the round out in its mind before going out."),
)
