"""Fresh decks, each in its fixed order: a card's number is its index in the deck.

The folder of each game defines its deck with these functions.

>>> deck = deck_of(packs(2) + suitless(Rank.JOKER, 4))
>>> len(deck), deck[0].code, deck[107].code, deck[107].number
(108, '2s', 'Jo', 107)
"""

from itertools import product

from engine.cards import Card, Rank, Suit

PACK_RANKS = tuple(rank for rank in Rank if rank <= Rank.ACE)

Deck = tuple[Card, ...]
Face = tuple[Rank, Suit | None, bool]
"""Rank, suit, and True for a gold card."""


def deck_of(faces: list[Face]) -> Deck:
    """Return the deck of these faces, in this order."""
    return tuple(Card(number, rank, suit, gold) for number, (rank, suit, gold) in enumerate(faces))


def packs(count: int) -> list[Face]:
    """Return the faces of `count` packs of 52 cards, one pack after the other, without jokers.

    >>> len(packs(2))
    104
    """
    return [(rank, suit, False) for _, suit, rank in product(range(count), Suit, PACK_RANKS)]


def suitless(rank: Rank, count: int) -> list[Face]:
    """Return the faces of `count` cards of a rank that has no suits.

    >>> len(suitless(Rank.JOKER, 6))
    6
    """
    faces: list[Face] = [(rank, None, False)]
    return count * faces
