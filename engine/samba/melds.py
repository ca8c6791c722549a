"""Melds of Samba: like cards, and sequences of one suit without wild cards (S30-S40)."""

from attrs import frozen

from engine.cards import Card
from engine.errors import IllegalMove
from engine.like_melds.melds import COMPLETE, LikeMelds
from engine.melds import Meld
from engine.samba.values import LONGEST_SEQUENCE, MOST_WILDS
from engine.sequence_melds.pure import Sequences, looks_like_sequence
from engine.slots import Shown, cards_of


@frozen(kw_only=True)
class SambaMelds(LikeMelds):
    """Limits of the game's melds: those of like cards, and of sequences."""

    sequences: Sequences

    def new_meld(self, cards: tuple[Shown, ...]) -> Meld:
        if looks_like_sequence(cards_of(cards)):
            return self.sequences.meld(cards)
        return super().new_meld(cards)

    def extended(self, meld: Meld, cards: tuple[Shown, ...]) -> Meld:
        if meld.rank is not None:
            return super().extended(meld, cards)
        if not cards:
            raise IllegalMove(self.adding, "Adding to a meld takes at least one card.")
        return self.sequences.meld(meld.cards + cards)

    def takes(self, meld: Meld, card: Card) -> bool:
        """Return True if this one card may join the meld."""
        if meld.rank is None:
            return self.sequences.takes(meld, card)
        return meld.rank is card.rank and len(meld.cards) < self.largest

    def _is_full(self, meld: Meld) -> bool:
        # All sequences have the rank None. S37 allows several, so each counts as full.
        return meld.rank is None or super()._is_full(meld)


def is_samba(meld: Meld) -> bool:
    """Return True for a sequence of seven cards or more (S37)."""
    return meld.rank is None and len(meld.cards) >= COMPLETE


def _limits(longest: int) -> SambaMelds:
    return SambaMelds(
        sequences=Sequences("S34", "S37", longest),
        most_wilds=MOST_WILDS,
        largest=COMPLETE,
        meld="S30",
        three_cards="S32",
        limits="S32",
        naturals="S33",
        adding="S36",
        own="S38",
        red_threes="S35",
        black_threes="S35",
        melds_black_threes=False,
    )


CLOSED, OPEN = _limits(COMPLETE), _limits(LONGEST_SEQUENCE)
"""Limits with the option `closed_sequences`, and without it."""
