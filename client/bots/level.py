"""What a level of opponents is: one file in `client/bots/players` that has a `LEVEL`."""

import random
from collections.abc import Callable

from attrs import frozen

from engine.game import Game
from engine.moves import Move
from engine.position import Position

Chooser = Callable[[Position], Move]
"""Chooses a legal move for the seat to move, from its view."""


def _go_on() -> None:
    """Nothing interrupts."""


@frozen
class Budget:
    """How long a level may think about one move, if it is one that searches: until it has played so
    many `moves` in its mind, which comes out the same every time; or, where `seconds` are given,
    for so long and on all cores. `check` is called every tenth of a second at least, and raises
    what ends the thinking.
    """

    moves: int = 150
    seconds: float | None = None
    check: Callable[[], None] = _go_on


@frozen
class Level:
    """`name` is what people choose it by, and `strength` its place among the levels, from child's
    play upwards, in steps of ten, which leave room between. `player` gives what chooses a legal
    move of a game for the seat to move, within the budget; all its chance is drawn from the
    generator. A `hidden` level is there to measure against. `seconds` are the longest that it
    takes for a move in play.
    """

    name: str
    strength: int
    player: Callable[[Game, random.Random, Budget], Chooser]
    hidden: bool = False
    seconds: float = 1.0
