"""The deck of Canastra (B3)."""

from engine.decks import Deck, deck_of, packs

CANASTRA: Deck = deck_of(packs(2))
