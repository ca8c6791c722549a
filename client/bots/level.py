"""The interface of a level of opponents: one file in `client/bots/players` that has a `LEVEL`."""

import random
from collections.abc import Callable

from attrs import frozen

from engine.game import Game
from engine.moves import Move
from engine.position import Position

Chooser = Callable[[Position], Move]
"""Function that chooses a legal move for the seat to move, from its view."""


def _go_on() -> None:
    """Do nothing, so that the thinking is never interrupted."""


@frozen
class Budget:
    """Limit of thinking about one move, for levels that search."""

    moves: int = 150
    """Number of moves to play in the search, if the result must be the same every time."""
    seconds: float | None = None
    """Duration of the search on all cores; if given, it replaces the number of moves."""
    check: Callable[[], None] = _go_on
    """Callback to stop early: it is called at least every tenth of a second, and may raise an
    error."""


@frozen
class Level:
    """A level of opponents."""

    name: str
    """Name by which people choose it."""
    strength: int
    """Place among the levels, from 10 for the weakest on; steps of ten leave room between."""
    player: Callable[[Game, random.Random, Budget], Chooser]
    """Function that returns a chooser of moves for a game, within the budget.

    The chooser takes all randomness from the given generator.
    """
    about: str = ""
    """Sentence for the settings that tells how the level plays."""
    seconds: float = 1.0
    """Longest time that it takes for a move in play."""
