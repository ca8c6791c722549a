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
    """Limit of thinking about one move, for levels that search."""

    moves: int = 150
    """Number of moves to play in the search, if the result must be the same every time."""
    seconds: float | None = None
    """Duration of the search on all cores; if given, it replaces the number of moves."""
    check: Callable[[], None] = _go_on
    """Callback to stop early: it is called at least every tenth of a second, and may raise an
    error."""
