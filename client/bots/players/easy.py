"""The level `easy` plays as a beginner does.

It often overlooks what it could take or lay, and eagerly uses what it notices, wild cards and all;
it does not think of anybody else at the table. It sees only what a person in its seat sees: the
position with the faces of its own hand.
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
"""Kinds of moves that it overlooks, and how often."""


def choose(view: Position, rng: random.Random) -> Move:
    """Return a legal move for the seat to move; `rng` makes it overlook moves, and breaks ties."""
    seat = view.to_move
    if seat is None:
        raise ValueError("nobody is to move")
    return eager.choose(view, rng, _noticed(sensible(view, view.legal_moves(seat)), rng))


def _noticed(moves: tuple[Move, ...], rng: random.Random) -> tuple[Move, ...]:
    """Return the moves without those overlooked this time, at least one."""
    for kinds, likely in _OVERLOOKED:
        others = tuple(move for move in moves if not isinstance(move, kinds))
        if 0 < len(others) < len(moves) and rng.random() < likely:
            moves = others
    return moves


LEVEL = Level(
    N_("easy"),
    10,
    lambda _, rng, _budget: partial(choose, rng=rng),
    about=N_("Plays as a beginner does: overlooks much, and thinks of nobody else."),
)
