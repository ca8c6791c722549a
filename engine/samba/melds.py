"""Melds of Samba: like cards, and sequences of one suit without wild cards (S30-S40)."""

from engine.like_melds.melds import COMPLETE
from engine.melds import Meld
from engine.samba.constants import LONGEST_SEQUENCE, MOST_WILDS
from engine.sequence_melds.beside_like import LikeOrInSequence
from engine.sequence_melds.pure import Sequences


def is_samba(meld: Meld) -> bool:
    """Return True for a sequence of seven cards or more (S37)."""
    return meld.rank is None and len(meld.cards) >= COMPLETE


def _limits(longest: int) -> LikeOrInSequence:
    return LikeOrInSequence(
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
