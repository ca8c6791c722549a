"""What a level of opponents is: one file in `client/bots/players` that has a `LEVEL`."""

import random
from collections.abc import Callable

from attrs import frozen

from engine.game import Game
from engine.moves import Move
from engine.position import Position

Chooser = Callable[[Position], Move]
"""Chooses a legal move for the seat to move, from its view."""


@frozen
class Level:
    """`name` is what people choose it by, and `strength` its place among the levels, from child's
    play upwards. `player` gives what chooses a legal move of a game for the seat to move; all its
    chance is drawn from the generator. A `hidden` level is there to measure against.
    """

    name: str
    strength: int
    player: Callable[[Game, random.Random], Chooser]
    hidden: bool = False
