"""The deck of Samba (S3)."""

from engine.cards import Rank
from engine.decks import Deck, Decks, deck_of, packs, suitless

SAMBA: Deck = deck_of(packs(3) + suitless(Rank.JOKER, 6))
DECKS = Decks(SAMBA)
