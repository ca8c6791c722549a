"""What a file of cases can expect: a verdict, a score, an item of the sheet, the match after it, or
a line of the position that follows.
"""

import re
from collections.abc import Iterator

from attrs import evolve, frozen

from engine.errors import NotationError
from engine.match import Match
from engine.notation.positions import format_position, game_of
from engine.position import Position
from engine.score_sheet import ScoreSheet

_POINTS = re.compile(r"-?[0-9]{1,8}", re.ASCII)
_COPY_MARK = re.compile(r":[1-8]", re.ASCII)
_CLAUSE = re.compile(r"[A-Z][0-9]{1,3}[a-z]?", re.ASCII)

FORMS = (
    "legal",
    "illegal CLAUSE",
    "score POINTS (by side)",
    "item SIDE CLAUSE POINTS",
    "total POINTS (by side)",
    "winner SIDE (or: none)",
    "a line of the position that follows",
)


_COMMON = ("totals", "dealer", "turn", "hand", "pile", "meld", "bonus", "stock")
"""What lines of all positions begin with."""


@frozen
class Outcome:
    """What a line has come to: the verdict with its clause, the score, and the position."""

    legal: bool
    clause: str
    sheet: ScoreSheet | None
    position: Position


def holds(text: str, outcome: Outcome) -> bool:
    """Whether the outcome is as expected. Raises NotationError for what nobody can expect."""
    word, *rest = text.split() or [""]
    match word.lower(), rest:
        case "legal", []:
            return outcome.legal
        case "illegal", []:
            return not outcome.legal
        case "illegal", [clause] if _CLAUSE.fullmatch(clause):
            return not outcome.legal and clause == outcome.clause
        case "score", _ if _are_points(rest, outcome):
            return outcome.sheet is not None and rest == [str(n) for n in outcome.sheet.totals]
        case "total", _ if _are_points(rest, outcome):
            return rest == [str(number) for number in _totals(outcome)]
        case "item", [side, clause, points] if _is_item(side, clause, points, outcome):
            return int(points) == _item(outcome.sheet, int(side) - 1, clause)
        case "winner", [side] if side in ("none", *_sides(outcome)):
            return side == _winner(outcome)
        case first, _ if first in (*_COMMON, *(own.word for own in outcome.position.own_lines)):
            return _has_line(text, outcome.position)
    raise NotationError("One can expect: {forms}.", forms="; ".join(FORMS))


def _has_line(line: str, position: Position) -> bool:
    if position.orders:
        raise NotationError("Cards are to be dealt or opened first: there is no position yet.")
    lines = [*format_position(position).splitlines(), *_further_lines(position)]
    return _bare(line) in map(_bare, lines)


def _bare(line: str) -> list[str]:
    """The words of a line without copy marks: nobody tells twins apart at a table."""
    return _COPY_MARK.sub("", line).split()


def _further_lines(position: Position) -> Iterator[str]:
    """What may be expected beside the written lines: counts, and a pile without cards."""
    yield f"stock {len(position.stock)}"
    yield from (f"hand {seat} {len(hand)}" for seat, hand in enumerate(position.hands, 1))
    if not position.pile:
        yield "pile"


def _sides(outcome: Outcome) -> list[str]:
    return [str(number) for number in range(1, outcome.position.sides + 1)]


def _are_points(words: list[str], outcome: Outcome) -> bool:
    return len(words) == outcome.position.sides and all(map(_POINTS.fullmatch, words))


def _is_item(side: str, clause: str, points: str, outcome: Outcome) -> bool:
    return bool(side in _sides(outcome) and _CLAUSE.fullmatch(clause) and _POINTS.fullmatch(points))


def _item(sheet: ScoreSheet | None, side: int, clause: str) -> int | None:
    """What the clause has brought the side; None without a sheet."""
    if sheet is None:
        return None
    return sum(item.points for item in sheet.sides[side] if item.clause == clause)


def _totals(outcome: Outcome) -> tuple[int, ...]:
    """Match points, with those of the round if it is over."""
    before = outcome.position.totals
    if outcome.sheet is None:
        return before
    return tuple(a + b for a, b in zip(before, outcome.sheet.totals, strict=True))


def _winner(outcome: Outcome) -> str:
    """The side that has won the match by this round, as a number from 1 on, or "none"."""
    position = outcome.position
    if outcome.sheet is None:
        return "none"
    match = Match.start(game_of(position), position.options, position.seats)
    winner = evolve(match, totals=_totals(outcome), sheets=(outcome.sheet,)).winner
    return "none" if winner is None else str(winner + 1)
