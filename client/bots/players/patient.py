"""The level `patient` tries the most promising moves in many worlds, as long as its budget lasts.

`client.bots.search` explains the search.
"""

import random
from functools import partial

from client.bots.level import Budget, Level
from engine.game import Game
from engine.moves import Move
from engine.position import Position
from engine.sentences import N_


def choose(view: Position, game: Game, rng: random.Random, budget: Budget) -> Move:
    """Return a legal move for the seat to move."""
    # Lazy import: every display needs the names of the levels, few need the code of this one.
    from client.bots.best_moves import considered  # noqa: PLC0415

    return considered(view, game, rng, budget).best


LEVEL = Level(
    N_("patient"),
    40,
    lambda game, rng, budget: partial(choose, game=game, rng=rng, budget=budget),
    about=N_(
        "Tries the best moves in many deals that fit what it sees, mostly for less than a second, "
        "at most for five; with a partner only where the round may end."
    ),
    seconds=5.0,
)
