"""Numbers of Kanastic: points of cards and formations, sizes of hands, openings.

Clauses K2, K6-K9, K16, K20, K30, K37, K38, K44, K45, K49, K50, K68, K69, K103, K104, K107, K108.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache

from attrs import evolve, frozen

from engine.cards import Card, Rank

HAND_SIZE = 14

CARD_POINTS: Mapping[Rank, int] = {
    Rank.ARTIFACT: 50,
    Rank.SWORD: 25,
    Rank.ACE: 20,
    **{rank: 10 for rank in Rank if Rank.NINE <= rank <= Rank.KING},
    **{rank: 5 for rank in Rank if Rank.FOUR <= rank <= Rank.EIGHT},
}
SHIELD_IN_HAND = 100

NATURAL_RANKS = tuple(rank for rank in Rank if Rank.FOUR <= rank <= Rank.ACE)
FEWEST_NATURALS = 3
MOST_WILDS = 3
COMPLETE = 7  # cards of a canasta, and of a golden suit
LARGEST_RANK_MELD = 8

NATURAL_CANASTA, MIXED_CANASTA = 600, 300
NATURAL_ACE_CANASTA, MIXED_ACE_CANASTA = 1000, 500
ROYAL_SUIT, MIXED_SUIT = 5000, 2500
DOUBLED_TOTAL = 1_000_000
"""At most this many points of a match total are doubled (K98).

Without a limit a total could double round after round, and outgrow any bound.
"""
POTS = 4
POT = 100
ALL_POTS = 1200

FEWEST_TO_TAKE = 4
"""To take the whole pile, a player must hold at least this many cards, and the stock must have at
least as many (K68, K69).
"""


@frozen
class Stage:
    """A level of match points, and the first melds that a side at that level needs."""

    name: str
    least: int
    """The minimum match points of the stage."""
    points: int | None
    """Points that the cards of the first melds need; None if a canasta is needed instead."""
    wilds: int | None
    """The maximum number of wild cards in all first melds together; None for no such limit."""
    suit: int = COMPLETE
    """A golden suit of at least this many cards alone is enough for the first melds (K51)."""


STAGES = (
    Stage("IV", 5000, None, 3),
    Stage("III", 3000, 120, 2),
    Stage("II", 1500, 90, 1),
    Stage("I", 0, 45, None),
)


@lru_cache(maxsize=64)
def stage_of(total: int, *, short_suits: bool) -> Stage:
    """Return the stage of a side with `total` match points (K44); below 0 it is stage I (K45).

    With `short_suits` three gold cards in sequence meet every stage (K51).

    >>> [stage_of(total, short_suits=False).name for total in (-100, 1500, 5000)]
    ['I', 'II', 'IV']
    """
    stage = next((stage for stage in STAGES if total >= stage.least), STAGES[-1])
    return evolve(stage, suit=FEWEST_NATURALS) if short_suits else stage


_SWORD, _SHIELD, _ARTIFACT = Rank.SWORD, Rank.SHIELD, Rank.ARTIFACT  # looked up often
_POT = Rank.POT
WILD_RANKS = frozenset((_SWORD, _ARTIFACT))
_STOPS = frozenset((_SWORD, _SHIELD, _ARTIFACT))


def is_natural(card: Card) -> bool:
    """Return True for cards with a suit."""
    return card.suit is not None


def is_wild(card: Card) -> bool:
    """Return True for Swords and Artifacts."""
    return card.rank is _SWORD or card.rank is _ARTIFACT


def is_stop(card: Card) -> bool:
    """Return True if the card, discarded, blocks the pile (K75)."""
    return card.rank in _STOPS


def is_shield(card: Card) -> bool:
    """Return True for Shields."""
    return card.rank is _SHIELD


def is_pot(card: Card) -> bool:
    """Return True for Treasure Pots."""
    return card.rank is _POT


def points_of(cards: Iterable[Card]) -> int:
    """Return the points of naturals and wild cards."""
    return sum([CARD_POINTS[card.rank] for card in cards])
