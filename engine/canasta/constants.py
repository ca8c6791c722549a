"""Numbers of Canasta: sizes of hands, points of canastas, minimums of openings.

Clauses C6-C8, C32, C37-C39, C66, C76, C91, C97.
"""

from collections.abc import Mapping

from engine.cards import Card, Rank
from engine.like_melds.cards import freezes, is_black_three

HAND_SIZE: Mapping[int, int] = {2: 15, 3: 13, 4: 11, 5: 11, 6: 11}

CLEAN_CANASTA = 500
DIRTY_CANASTA = 300
RED_THREE = 100
ALL_RED_THREES = 800
GOING_OUT = 100
RELANCE = 200
KEPT_RED_THREE_PENALTY = 500
VAIN_QUESTION_PENALTY = 100
EXPOSED_CARD_PENALTY = 50

OPENINGS = ((3000, 120), (1500, 90), (0, 50))
"""Stages: a total, and the points that an opening needs from that total on."""

NEGATIVE_OPENING = 15


def starts(card: Card, *, red_start: bool) -> bool:
    """Return True if the card may stay as the start of the pile (C14)."""
    if red_start:
        return not (card.rank is Rank.JOKER or (card.red and card.rank in (Rank.TWO, Rank.THREE)))
    return not (freezes(card) or is_black_three(card))
