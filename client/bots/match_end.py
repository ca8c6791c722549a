"""The value of the end of a round that may be the end of the match."""

from collections.abc import Sequence
from math import copysign, tanh

from engine.position import Position
from engine.slots import Side

MATCH = 2000
"""Value of winning the match, in points of a round."""

ONLY_ROUND = 600.0
"""Scale of leads in a match of one round: a lead of this size is worth 76 % of a win."""


def match_won(view: Position, side: Side, points: Sequence[float]) -> bool | None:
    """Return True if `side` wins the match when this round brings the sides these points.

    The result is False if another side wins, and None if the match goes on or the best sides are
    tied. It is also None in a match of a fixed number of rounds, unless that number is 1: a
    position does not know how many rounds are left.
    """
    totals = [total + more for total, more in zip(view.totals, points, strict=True)]
    best = max(totals)
    if totals.count(best) > 1:
        return None
    rounds, target = view.options.rounds, view.options.match_target
    over = rounds == 1 or (not rounds and target is not None and best >= target)
    return totals[side] == best if over else None


def worth_ahead(view: Position, ahead: float, won: bool | None) -> float:
    """Return the value of a lead of `ahead` points in a round.

    `won` is True or False if the round has won or lost the match, None if it has done neither. In a
    match of one round only winning counts: a further point is worth less, the larger the lead is.
    """
    if view.options.rounds == 1:
        share = tanh(ahead / ONLY_ROUND) if won is None else copysign(1, won - 0.5)
        return ONLY_ROUND * share
    return ahead if won is None else ahead + copysign(MATCH, won - 0.5)
