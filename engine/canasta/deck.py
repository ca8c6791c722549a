"""The deck of Canasta (C1)."""

from engine.cards import Rank
from engine.decks import Deck, Decks, deck_of, packs, suitless

CANASTA: Deck = deck_of(packs(2) + suitless(Rank.JOKER, 4))
DECKS = Decks(CANASTA)
