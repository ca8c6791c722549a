"""Numbers of Canastra: points, and sizes of hands, melds and deads (hands set aside).

Clauses B4, B5, B18, B20, B23, B25, B56, B57, B61, B62.
"""

from engine.cards import Card, Rank

HAND_SIZE = 11
DEADS = 2
DEAD_SIZE = 11

RUN_SIZE = 3
CANASTRA_SIZE = 7
NUMBERS = (Rank.ACE, Rank.KING, Rank.THREE)
"""Ranks that runs of one number are made of (B25)."""

CARD = 10
DIRTY_CANASTRA = 200
CLEAN_CANASTRA = 300
REAL_CANASTRA = 1000
GOING_OUT = 100


_TWO = Rank.TWO  # a module variable is found faster than an attribute


def is_two(card: Card) -> bool:
    """Return True if the card may stand for another one (B28)."""
    return card.rank is _TWO
