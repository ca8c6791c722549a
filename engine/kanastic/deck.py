"""The deck of Kanastic (K1-K5)."""

from itertools import product

from engine.cards import Rank, Suit
from engine.decks import PACK_RANKS, Deck, Decks, Face, deck_of, suitless


def _realms() -> list[Face]:
    # K3, K4: two cards of each suit in each rank; the first spade of each rank is the gold card.
    ranks = [rank for rank in PACK_RANKS if rank >= Rank.FOUR]
    return [
        (rank, suit, suit is Suit.SPADES and copy == 0)
        for copy, suit, rank in product(range(2), Suit, ranks)
    ]


KANASTIC: Deck = deck_of(
    _realms()
    + suitless(Rank.SWORD, 8)
    + suitless(Rank.SHIELD, 4)
    + suitless(Rank.ARTIFACT, 4)
    + suitless(Rank.POT, 4)
)
DECKS = Decks(KANASTIC)
