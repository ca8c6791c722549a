"""The line of the notation that makes a move, as short as people write it."""

import re

from engine.moves import Move
from engine.notation.moves import format_move
from engine.position import Position

_COPY_MARK = re.compile(r":[1-8]\b")


def line_of(view: Position, move: Move) -> str:
    """The line that makes a move of the seat to move. Cards are told by their faces alone: which of
    two alike is meant makes no difference to anybody.
    """
    return _COPY_MARK.sub("", format_move(view, move))
