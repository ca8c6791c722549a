"""The deck of Canastra (B3)."""

from engine.decks import Deck, Decks, deck_of, packs

CANASTRA: Deck = deck_of(packs(2))
DECKS = Decks(CANASTRA)
