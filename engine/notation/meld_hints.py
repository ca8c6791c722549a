"""Hints for a refused meld that would be legal together with other cards."""

from collections.abc import Iterator

from engine.errors import IllegalMove, NotationError
from engine.moves import LayMelds, shown_by
from engine.notation.moves import format_move, kind_of, parse_move
from engine.notation.try_move import Result, revealing, seat_and_move, tried
from engine.position import Position
from engine.sentences import Sentence
from engine.slots import Shown

_TRYING = ("try", "play")


def hint_for(
    position: Position, text: str, error: IllegalMove, following: tuple[str, ...]
) -> Sentence | None:
    """Return a hint to lay cards of several lines in one move; None if there is no such move (X2).

    `following` are the lines after the line with the move.
    """
    move = seat_and_move(text, position.seats)[1]
    if kind_of(move) is not LayMelds and not move.lower().startswith(("take", "top")):
        return None
    line = next(_joined(position, move, following), None)
    if line is None and error.clause in position.closing_clauses:
        line = next(_closings(position, move), None)
    return None if line is None else Sentence("Lay all in one line: {line}", line=line)


def _joined(position: Position, move: str, following: tuple[str, ...]) -> Iterator[str]:
    """Return the legal moves that lay the melds of the next lines, too.

    The first try is with the meld of the next line, the second with those of the next two lines,
    and so on.
    """
    for line in following:
        word, _, rest = line.partition(" ")
        if word.lower() == "expect":
            continue
        more = seat_and_move(rest, position.seats)[1]
        if word.lower() not in _TRYING or kind_of(more) is not LayMelds:
            return
        move = f"{move} + {more.strip()[len('meld') :].strip()}"
        if _is_legal(position, move):
            yield move


def _is_legal(position: Position, move: str) -> bool:
    try:
        result: Result = tried(position, move)
    except NotationError:
        return False
    return not isinstance(result, IllegalMove)


def _closings(position: Position, move: str) -> Iterator[str]:
    """Return legal moves that lay the same cards and more, if the whole hand is known."""
    mover = position.to_move
    if mover is None or any(position.face(slot) is None for slot in position.hands[mover]):
        return
    named: set[Shown] = set(shown_by(parse_move(revealing(position, move), move)))
    for other in position.legal_moves(mover):
        if named < set(shown_by(other)):
            yield format_move(position, other)
