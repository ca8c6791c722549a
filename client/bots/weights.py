"""The weights of the evaluators, in points of a round.

A weight that is a sequence has one value for each number of cards, beginning with 0 cards. `python
-m tests.bench opponents` measures the effect of the weights.
"""

from collections.abc import Sequence
from enum import Enum

from attrs import frozen


class Tuning(Enum):
    """Sources of weights: the tables in the file of a game, such as `games/canasta.toml`.

    - `BY_HAND` was set by hand: it has the defaults of the class, which some games' tables change.
    - `BY_TRIAL` was found by changing a few weights at a time, and keeping each change that won
      more.
    - `LEARNT` was found by the evolution strategy of `python -m tests.learn_weights`, for all
      weights together. A game without this table uses `BY_TRIAL`.
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
    """Value of each card of a pile that is taken, besides the value of the cards in hand."""
    flexible: float = 14
    """Value of each card in hand, up to `enough` cards."""
    enough: float = 10
    flexible_after: float = 4
    """Value of each card in hand once the side may go out."""
    threat: float = 0.15
    """Chance that the round ends before a hand is laid; doubled if another side may go out."""
    near: float = 7
    """A player with fewer cards in hand than this seems about to go out."""
    card: float = 12
    """Expected cost of each card in another hand."""
    going_out: float = 100
    """Value of going out."""
    out_margin: float = 0
    """Minimum lead in the round with which the level goes out."""
    ask_from: int = 4
    """Minimum number of cards in the partner's hand with which the level asks to go out."""
    agree_to: float = 60
    """Maximum cost of its own hand with which the level lets the partner go out."""
    agree_from: float = 0.5
    """Threat above which the level lets the partner go out, whatever its own hand costs."""


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
    """Cost of each card that the next seat gets with the pile, as a multiple of `pile`."""
    lone: float = 0.3
    """Chance that the next seat takes the pile with one card of a rank and a wild card."""
    first_canasta: float = 150
    """Value of having the canastas that a side needs to go out, besides their bonuses."""
    opened: float = 100
    """Value of a side's first meld."""


def between(values: Sequence[float], size: float) -> float:
    """Return the value at index `size`, interpolated if `size` is no whole number.

    A size beyond the end of `values` has the last value.
    """
    low = int(size)
    if low + 1 >= len(values):
        return values[-1]
    return values[low] + (size - low) * (values[low + 1] - values[low])
