"""Numbers of Canasta: points of cards and canastas, sizes of hands, minimums of openings.

Clauses C6-C8, C22-C24, C32, C37-C39, C66, C76, C91, C97.
"""

from collections.abc import Mapping

from engine.cards import Card, Rank

HAND_SIZE: Mapping[int, int] = {2: 15, 3: 13, 4: 11, 5: 11, 6: 11}

CARD_POINTS: Mapping[Rank, int] = {
    Rank.JOKER: 50,
    Rank.TWO: 20,
    Rank.ACE: 20,
    **{rank: 10 for rank in Rank if Rank.EIGHT <= rank <= Rank.KING},
    **{rank: 5 for rank in Rank if Rank.THREE <= rank <= Rank.SEVEN},
}

CANASTA_SIZE = 7
MOST_WILDS = 3
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
NEGATIVE_OPENING = 15


def opening_minimum(total: int) -> int:
    """Return the points that a side with `total` match points needs for its first meld (C37-C39).

    >>> [opening_minimum(total) for total in (-5, 0, 1500, 3000)]
    [15, 50, 90, 120]
    """
    return next((need for least, need in OPENINGS if total >= least), NEGATIVE_OPENING)


MELDED_RANKS = tuple(rank for rank in Rank if Rank.THREE <= rank <= Rank.ACE)
"""Ranks that melds are made of, black threes among them, in ascending order."""
_NATURALS = frozenset(MELDED_RANKS) - {Rank.THREE}
WILD_RANKS = frozenset({Rank.TWO, Rank.JOKER})
_JOKER, _TWO, _THREE = Rank.JOKER, Rank.TWO, Rank.THREE  # looked up often


def is_wild(card: Card) -> bool:
    """Return True for twos and jokers."""
    return card.rank is _TWO or card.rank is _JOKER


def is_red_three(card: Card) -> bool:
    """Return True for threes of hearts and diamonds."""
    return card.rank is _THREE and card.red


def is_black_three(card: Card) -> bool:
    """Return True for threes of spades and clubs."""
    return card.rank is _THREE and not card.red


def is_natural(card: Card) -> bool:
    """Return True for a card that canastas are made of: 4 to ace (C25)."""
    return card.rank in _NATURALS


def freezes(card: Card) -> bool:
    """Return True if the card, lying in the pile, freezes it (C15, C51)."""
    return is_wild(card) or is_red_three(card)


def starts(card: Card, *, red_start: bool) -> bool:
    """Return True if the card may stay as the start of the pile (C14)."""
    if red_start:
        return not (card.rank is Rank.JOKER or (card.red and card.rank in (Rank.TWO, Rank.THREE)))
    return not (freezes(card) or is_black_three(card))


def points_of(cards: tuple[Card, ...]) -> int:
    """Return the points of the cards in melds.

    >>> from engine.cards import Suit
    >>> points_of((Card(0, Rank.JOKER, None), Card(1, Rank.SEVEN, Suit.CLUBS)))
    55
    """
    return sum([CARD_POINTS[card.rank] for card in cards])
