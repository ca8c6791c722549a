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
    tied. The result is also None in a match of a fixed number of rounds, unless that number is 1: a
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

    `won` is True if the side has won the match with this round, False if it has lost the match, and
    None otherwise. In a match of one round only winning counts, so each further point adds less:
    the first 600 points of a lead are worth 457, the next 600 only 121.
    """
    if view.options.rounds == 1:
        # `won - 0.5` is above 0 for True and below 0 for False, so `copysign` gives 1 or -1.
        share = tanh(ahead / ONLY_ROUND) if won is None else copysign(1, won - 0.5)
        return ONLY_ROUND * share
    return ahead if won is None else ahead + copysign(MATCH, won - 0.5)
