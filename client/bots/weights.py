"""What opponents reckon with, in points of a round; sequences go by number of cards.

`sobremesa bench opponents` measures what comes of them.
"""

from collections.abc import Sequence
from enum import Enum

from attrs import frozen


class Tuning(Enum):
    """Where weights come from: the defaults were set `BY_HAND`; others were found `BY_TRIAL`, a few
    of them at a time, each kept for what it won; and others are `LEARNT`, all of them at once, by
    the evolution strategy of `python -m tests.learn_weights`.
    """

    BY_HAND = "by hand"
    BY_TRIAL = "by trial"
    LEARNT = "learnt"


@frozen(kw_only=True)
class Weights:
    """What is asked in every game."""

    counts: bool = False  # reckons with what has been seen, and with who threw it
    uncounted: float = 0.3  # how likely another has a pair, for one who does not count
    left_lying: float = 0.3  # of the chance of a pair, for who threw such a card or left it lying
    draw: float = 20  # a card from the stock
    pile: float = 12  # each card of the pile, beside its use
    flexible: float = 14  # each card in hand, up to so many:
    enough: float = 10
    flexible_after: float = 4  # likewise, once the side may go out
    threat: float = 0.15  # how likely the hand's cards will count against us
    near: float = 7  # from so few cards in a hand on, its owner seems about to go out
    card: float = 12  # what each card in another's hand is expected to cost
    going_out: float = 100
    out_margin: float = 0  # a lead with which one goes out
    ask_from: int = 4  # cards in the partner's hand
    agree_to: float = 60  # what one's own hand may cost when the partner goes out
    agree_from: float = 0.5  # a threat from which on one always agrees


@frozen(kw_only=True)
class LikeWeights(Weights):
    """Where canastas are of like cards."""

    progress: Sequence[float] = (0, 0, 0.03, 0.15, 0.3, 0.5, 0.75, 1)  # of a canasta's bonus
    held: float = 0.8  # of a card on the table, for one in hand that joins it
    wild_laid: float = 0.5  # of a natural, for a wild card in a meld that is no canasta yet
    group: Sequence[float] = (0, 0, 15, 40, 60, 90, 140, 300)  # like naturals in hand
    wild: float = 45
    cover: float = 12  # a card to throw on a thick pile
    given: float = 2  # of what the pile is worth, for one that the next seat takes
    lone: float = 0.3  # how likely one card of a rank takes the pile, with a wild one
    first_canasta: float = 150
    opened: float = 100


def between(values: Sequence[float], size: float) -> float:
    """The value for a size that need not be whole; the last one for sizes beyond the table."""
    low = int(size)
    if low + 1 >= len(values):
        return values[-1]
    return values[low] + (size - low) * (values[low + 1] - values[low])
