"""The interface of an opponent: a chooser of moves, and the budget of its thinking."""

from collections.abc import Callable

from attrs import frozen

from engine.moves import Move
from engine.position import Position

Chooser = Callable[[Position], Move]
"""Function that chooses a legal move for the seat to move, from its view."""


def _go_on() -> None:
    """Do nothing, so that the thinking is never interrupted."""


@frozen
class Budget:
    """A limit on the search for one move; levels that do not search ignore it."""

    moves: int = 150
    """Number of moves to play in the search. With this limit the result is the same every time."""
    seconds: float | None = None
    """Duration of the search, on all cores; if given, it replaces the limit on moves."""
    check: Callable[[], None] = _go_on
    """Callback that can stop the search by raising an error; called at least every tenth of a
    second."""
