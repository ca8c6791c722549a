"""Sequences without wild cards beside melds of like cards, as in Samba.

Every new sequence of each length is tried, and every addition at one end or both. A side without
melds may also open with the longest sequences of one suit or several, together with the cheapest
melds of like cards.
"""

from collections.abc import Iterable, Iterator
from itertools import chain, combinations

from attrs import frozen

from engine.cards import Card
from engine.errors import IllegalMove
from engine.like_melds.cards import points_of
from engine.like_melds.find_layings import Plays, meldable
from engine.like_melds.find_openings import openings
from engine.like_melds.melds import LikeMelds
from engine.like_melds.sorted_hand import SortedHand
from engine.melds import Meld
from engine.moves import Play
from engine.sequence_melds.pure import Sequences, looks_like_sequence, runs
from engine.slots import Shown, cards_of

Cards = tuple[Shown, ...]
Melds = tuple[Meld, ...]


@frozen(kw_only=True)
class LikeOrInSequence(LikeMelds):
    """Limits of a game's melds: those of like cards, and of sequences."""

    sequences: Sequences

    def new_meld(self, cards: Cards) -> Meld:
        if looks_like_sequence(cards_of(cards)):
            return self.sequences.meld(cards)
        return super().new_meld(cards)

    def extended(self, meld: Meld, cards: Cards) -> Meld:
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
        # S37: a sequence counts as full, so that another one may be begun beside it
        return meld.rank is None or super()._is_full(meld)


def sequence_plays(sequences: Sequences, melds: Melds, hand: Cards, need: int) -> Iterator[Play]:
    """Return new sequences of at least `need` points, and additions to sequences of the side."""
    for play in sequences.new_plays(hand):
        if points_of(cards_of(play.cards)) >= need:
            yield play
    for number, meld in enumerate(melds):
        if meld.rank is None:
            yield from sequences.additions(number, meld, hand)


def mixed_openings(limits: LikeOrInSequence, hand: Cards, need: int, most: int) -> Iterator[Plays]:
    """Return openings with some of the longest sequences, and melds of like cards beside them.

    An opening has at least `need` points, and at most `most` cards.
    """
    # If a run is too long for one meld, its highest cards are taken, because they have more points.
    longest = [run[-limits.sequences.longest :] for run in runs(hand)]
    for chosen in chain(*(combinations(longest, count) for count in range(1, len(longest) + 1))):
        laid = tuple(chain(*chosen))
        lacking = need - points_of(cards_of(laid))
        plays = tuple(map(Play, chosen))
        if len(laid) > most:
            continue
        if lacking <= 0:
            yield plays
            continue
        rest = SortedHand.of(meldable(limits, [shown for shown in hand if shown not in laid]))
        for more in openings(limits, rest, lacking, most - len(laid)):
            yield (*plays, *more)


def plays_on_sequences(sequences: Sequences, melds: Melds, top: Shown) -> Iterable[Plays]:
    """Return the plays that lay the top of the pile alone on a sequence of the side (S22)."""
    for number, meld in enumerate(melds):
        if meld.rank is None and sequences.takes(meld, top.card):
            yield (Play((top,), number),)
