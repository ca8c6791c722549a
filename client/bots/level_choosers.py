"""The players behind the levels: a function for each, named like its level in `client.bots.levels`.

Each function returns the chooser of moves for a game. A chooser takes all randomness from `rng`. A
level that does not search ignores the budget.
"""

import random
from functools import partial

from client.bots import eager, going_out_playouts, one_move_ahead
from client.bots.best_moves import considered
from client.bots.chooser import Budget, Chooser
from client.bots.evaluator_registry import evaluator_of
from client.bots.weights import Tuning
from engine.game import Game


def easy(_game: Game, rng: random.Random, _budget: Budget) -> Chooser:
    """Overlook much of what could be taken or laid."""
    return partial(eager.choose_overlooking, rng=rng)


def middle(game: Game, rng: random.Random, _budget: Budget) -> Chooser:
    """Look one move ahead, without counting cards."""
    return partial(one_move_ahead.choose, evaluator=evaluator_of(game, Tuning.BY_HAND), rng=rng)


def strong(game: Game, rng: random.Random, _budget: Budget) -> Chooser:
    """Count the cards, and play rounds out when the seat could go out."""
    return partial(
        going_out_playouts.choose, evaluator=evaluator_of(game, Tuning.BY_TRIAL), rng=rng
    )


def patient(game: Game, rng: random.Random, budget: Budget) -> Chooser:
    """Try the most promising moves in many worlds; `client.bots.search` explains the search."""
    return lambda view: considered(view, game, rng, budget).best
