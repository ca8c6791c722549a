"""Weights of the judges, in points of a round; sequences go by number of cards.

`sobremesa bench opponents` measures their effect.
"""

from collections.abc import Sequence
from enum import Enum

from attrs import frozen


class Tuning(Enum):
    """Sources of weights.

    The defaults were set `BY_HAND`. Others were found `BY_TRIAL`, a few at a time, each kept if it
    won more. The third set is `LEARNT`, all at once, by the evolution strategy of `python -m
    tests.learn_weights`.
    """

    BY_HAND = "by hand"
    BY_TRIAL = "by trial"
    LEARNT = "learnt"


@frozen(kw_only=True)
class Weights:
    """Weights for every game."""

    counts: bool = False  # counts the cards seen, and remembers the seat that discarded them
    uncounted: float = 0.3  # chance that another seat has a pair, if cards are not counted
    left_lying: float = 0.3  # factor for that chance if the seat discarded or left such a card
    draw: float = 20  # a card from the stock
    pile: float = 12  # each card of the pile, beside its use
    flexible: float = 14  # each card in hand, up to `enough` cards
    enough: float = 10
    flexible_after: float = 4  # the same once the side may go out
    threat: float = 0.15  # chance that the cards in hand will count against us
    near: float = 7  # number of cards in a hand below which its owner seems about to go out
    card: float = 12  # expected cost of each card in another hand
    going_out: float = 100
    out_margin: float = 0  # lead that is enough to go out
    ask_from: int = 4  # cards in the partner's hand from which on we ask
    agree_to: float = 60  # most that one's own hand may cost when the partner goes out
    agree_from: float = 0.5  # threat from which on we always agree


@frozen(kw_only=True)
class LikeWeights(Weights):
    """Weights for games with canastas of like cards."""

    progress: Sequence[float] = (0, 0, 0.03, 0.15, 0.3, 0.5, 0.75, 1)  # of a canasta's bonus
    held: float = 0.8  # a card in hand that joins a meld, as part of a card on the table
    wild_laid: float = 0.5  # a wild card in an unfinished meld, as part of a natural
    group: Sequence[float] = (0, 0, 15, 40, 60, 90, 140, 300)  # like naturals in hand
    wild: float = 45
    cover: float = 12  # a card that is safe to discard on a thick pile
    given: float = 2  # factor of the pile's value, for a pile that the next seat takes
    lone: float = 0.3  # chance that one card of a rank, with a wild card, takes the pile
    first_canasta: float = 150
    opened: float = 100


def between(values: Sequence[float], size: float) -> float:
    """Return the value for a size that may be a fraction; beyond the table its last value."""
    low = int(size)
    if low + 1 >= len(values):
        return values[-1]
    return values[low] + (size - low) * (values[low + 1] - values[low])
