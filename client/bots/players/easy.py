"""Plays as a beginner does: often overlooks what it could take or lay, and is eager for what it
notices, wild cards and all; it thinks of nobody else at the table.

It sees what a person in its seat sees: the position with the faces of its own hand.
"""

import random
from collections.abc import Sequence
from functools import partial

from client.bots import eager
from client.bots.blunders import sensible
from client.bots.level import Level
from engine.moves import LayMelds, Move, TakePile, TakeTop
from engine.position import Position
from engine.sentences import N_

_OVERLOOKED: Sequence[tuple[tuple[type[Move], ...], float]] = (
    ((TakePile, TakeTop), 0.6),
    ((LayMelds,), 0.5),
)
"""What it overlooks, and how often."""


def choose(view: Position, rng: random.Random) -> Move:
    """A legal move for the seat to move. `rng` makes it overlook things, and breaks ties."""
    seat = view.to_move
    if seat is None:
        raise ValueError("nobody is to move")
    return eager.choose(view, rng, _noticed(sensible(view, view.legal_moves(seat)), rng))


def _noticed(moves: tuple[Move, ...], rng: random.Random) -> tuple[Move, ...]:
    """The moves without what is overlooked this time; never none."""
    for kinds, likely in _OVERLOOKED:
        others = tuple(move for move in moves if not isinstance(move, kinds))
        if 0 < len(others) < len(moves) and rng.random() < likely:
            moves = others
    return moves


LEVEL = Level(N_("easy"), 10, lambda _, rng, _budget: partial(choose, rng=rng))
