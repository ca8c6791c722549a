"""What the end of a round is worth where it may be the end of the match."""

from collections.abc import Sequence
from math import copysign, tanh

from engine.position import Position
from engine.slots import Side

MATCH = 2000
"""What winning the match is worth, in points of a round."""

ONLY_ROUND = 600.0
"""Points: who is so many ahead in a match of one round that still goes on mostly wins it."""


def match_won(view: Position, side: Side, points: Sequence[float]) -> bool | None:
    """Whether `side` has won the match, if this round brings the sides so many points; None where
    nobody has. How many rounds of several are left, a position does not tell.
    """
    totals = [total + more for total, more in zip(view.totals, points, strict=True)]
    best = max(totals)
    if totals.count(best) > 1:
        return None
    rounds, target = view.options.rounds, view.options.match_target
    over = rounds == 1 or (not rounds and target is not None and best >= target)
    return totals[side] == best if over else None


def worth_ahead(view: Position, ahead: float, won: bool | None) -> float:
    """What being so many points ahead is worth in a round that has won or lost the match, or (None)
    has not. In a match of one round nothing counts but who wins: the nearer the sides are, the more
    a point changes.
    """
    if view.options.rounds == 1:
        share = tanh(ahead / ONLY_ROUND) if won is None else copysign(1, won - 0.5)
        return ONLY_ROUND * share
    return ahead if won is None else ahead + copysign(MATCH, won - 0.5)
