"""Weights of the evaluators, in points of a round; sequences are indexed by a number of cards.

`python -m tests.bench opponents` measures their effect.
"""

from collections.abc import Sequence
from enum import Enum

from attrs import frozen


class Tuning(Enum):
    """Sources of weights: the tables in the file of a game, such as `games/canasta.toml`.

    `BY_HAND` are the defaults. `BY_TRIAL` was found by changing a few weights at a time, and
    keeping each change that won more. `LEARNT` was found by the evolution strategy of `python -m
    tests.learn_weights`, for all weights at once. A game without that table uses `BY_TRIAL`.
    """

    BY_HAND = "by_hand"
    BY_TRIAL = "by_trial"
    LEARNT = "learnt"


@frozen(kw_only=True)
class Weights:
    """Weights for every game."""

    counts: bool = False
    """True if the level counts the cards seen, and remembers the seat that discarded them."""
    uncounted: float = 0.3
    """Chance that another seat has a pair, if cards are not counted."""
    left_lying: float = 0.3
    """Factor for the chance of a pair if the seat has discarded such a card, or left one lying."""
    draw: float = 20
    """Value of a card from the stock."""
    pile: float = 12
    """Value of each card of the pile, added to the value of the position after taking it."""
    flexible: float = 14
    """Value of each card in hand, up to `enough` cards."""
    enough: float = 10
    flexible_after: float = 4
    """Value of each card in hand once the side may go out."""
    threat: float = 0.15
    """Chance that the cards in hand will count against their holder."""
    near: float = 7
    """Number of cards in a hand below which its owner seems about to go out."""
    card: float = 12
    """Expected cost of each card in another hand."""
    going_out: float = 100
    """Value of going out."""
    out_margin: float = 0
    """Lead that is enough to go out."""
    ask_from: int = 4
    """Fewest cards in the partner's hand for which the level asks before it goes out."""
    agree_to: float = 60
    """Most that one's own hand may cost when the partner goes out."""
    agree_from: float = 0.5
    """Threat above which the level always agrees."""


@frozen(kw_only=True)
class LikeWeights(Weights):
    """Weights for games with canastas of like cards."""

    progress: Sequence[float] = (0, 0, 0.03, 0.15, 0.3, 0.5, 0.75, 1)
    """Share of a canasta's bonus that a meld is worth, by its number of cards."""
    held: float = 0.8
    """Size that a card in hand adds to a meld that it can join; a laid card adds 1."""
    wild_laid: float = 0.5
    """Size that a wild card adds to an unfinished meld; a natural adds 1."""
    group: Sequence[float] = (0, 0, 15, 40, 60, 90, 140, 300)
    """Value of like naturals in hand, by their number."""
    wild: float = 45
    """Value of a wild card in hand."""
    cover: float = 12
    """Value of a card that is safe to discard on a thick pile."""
    given: float = 2
    """Cost of each card that the next seat gets with the pile, as a factor of `pile`."""
    lone: float = 0.3
    """Chance that one card of a rank, with a wild card, takes the pile."""
    first_canasta: float = 150
    """Value of a side's first canasta, beside its bonus."""
    opened: float = 100
    """Value of a side's first meld."""


def between(values: Sequence[float], size: float) -> float:
    """Return the interpolated value for a size, which may be a fraction.

    Sizes beyond the end of `values` have the last value.
    """
    low = int(size)
    if low + 1 >= len(values):
        return values[-1]
    return values[low] + (size - low) * (values[low + 1] - values[low])
