"""The decks of Hand and Foot (H3)."""

from engine.cards import Rank
from engine.decks import Deck, Decks, OtherDeck, deck_of, packs, suitless
from engine.hand_and_foot.constants import FEWEST_PACKS, MOST_PACKS, PACKS


def _deck(count: int) -> Deck:
    return deck_of(packs(count) + suitless(Rank.JOKER, 2 * count))


DECKS = Decks(
    _deck(PACKS),
    tuple(
        OtherDeck(_deck(count), option="packs", value=count)
        for count in range(FEWEST_PACKS, MOST_PACKS + 1)
        if count != PACKS
    ),
)
