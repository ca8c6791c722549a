"""Fresh decks, each in its fixed order: a card's number is its index in it.

Each game has its own deck in its folder, made of what is here.
"""

from itertools import product

from engine.cards import Card, Rank, Suit

PACK_RANKS = tuple(rank for rank in Rank if rank <= Rank.ACE)

Deck = tuple[Card, ...]
Face = tuple[Rank, Suit | None, bool]
"""Rank, suit, and whether the card is gold."""


def deck_of(faces: list[Face]) -> Deck:
    """The deck of these faces, in this order."""
    return tuple(Card(number, rank, suit, gold) for number, (rank, suit, gold) in enumerate(faces))


def packs(count: int) -> list[Face]:
    """So many packs of 52, one after the other, without jokers."""
    return [(rank, suit, False) for _, suit, rank in product(range(count), Suit, PACK_RANKS)]


def suitless(rank: Rank, count: int) -> list[Face]:
    """So many cards of a rank without suits."""
    faces: list[Face] = [(rank, None, False)]
    return count * faces
