"""Random legal play: the standard that every opponent is measured against."""

import random
from functools import partial

from client.bots.level import Level
from engine.moves import Move
from engine.position import Position


def choose(view: Position, rng: random.Random) -> Move:
    """Return any of the candidate moves that is legal."""
    tried = list(view.candidates())
    rng.shuffle(tried)
    return next(move for move in tried if view.allows(move))


LEVEL = Level("random", 0, lambda _, rng, _budget: partial(choose, rng=rng), hidden=True)
