"""The deck of Hand and Foot (H3)."""

from engine.cards import Rank
from engine.decks import Deck, deck_of, packs, suitless

HAND_AND_FOOT: Deck = deck_of(packs(5) + suitless(Rank.JOKER, 10))
