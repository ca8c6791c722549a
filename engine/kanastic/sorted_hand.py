"""A hand of Kanastic sorted for melding, and the formations that can be made of it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from attrs import frozen

from engine.cards import Rank
from engine.kanastic.constants import FEWEST_NATURALS, MOST_WILDS, NATURAL_RANKS
from engine.slots import Shown

Cards = tuple[Shown, ...]

_SWORD, _ARTIFACT = Rank.SWORD, Rank.ARTIFACT  # looked up often
_PLACES = range(Rank.FOUR, Rank.ACE + 1)


@frozen
class SortedHand:
    """Naturals and wild cards of a hand."""

    ranks: Mapping[Rank, Cards]
    """Naturals by rank, gold cards last."""
    golds: Mapping[int, Shown]
    """Gold cards alone, by rank."""
    swords: Cards
    artifacts: Cards

    @classmethod
    def of(cls, ranks: Mapping[Rank, Sequence[Shown]]) -> "SortedHand":
        """Return the sorted hand of cards that are given by rank, in any order."""
        naturals = {rank: _in_order(ranks[rank]) for rank in NATURAL_RANKS if rank in ranks}
        golds: dict[int, Shown] = {
            rank: cards[-1] for rank, cards in naturals.items() if cards[-1].card.gold
        }
        swords, artifacts = ranks.get(_SWORD, ()), ranks.get(_ARTIFACT, ())
        return cls(naturals, golds, tuple(swords), tuple(artifacts))

    def wilds(self, most: int) -> Sequence[Cards]:
        """Return the choices of at most `most` wild cards, () first, each set of faces once."""
        swords, artifacts = self.swords, self.artifacts
        if not (swords or artifacts):
            return ((),) if most >= 0 else ()
        size = len(artifacts)
        # A golden suit uses the first Artifacts of the hand (`_run`). So the last ones are offered
        # here to melds of like cards, and one move can lay both.
        return [
            swords[:first] + artifacts[size - last :]
            for first in range(min(len(swords), most) + 1)
            for last in range(min(size, most - first) + 1)
        ]

    def runs(self) -> Iterator[Cards]:
        """Return every new run; Artifacts stand only for gold cards that the hand lacks."""
        if len(self.golds) < FEWEST_NATURALS:
            return
        artifacts = min(MOST_WILDS, len(self.artifacts))
        for low in _PLACES:
            golds = 0
            for high in range(low, Rank.ACE + 1):
                golds += high in self.golds
                # A longer run from the same `low` has at least as many gaps.
                if high - low + 1 - golds > artifacts:
                    break
                if golds >= FEWEST_NATURALS:
                    yield self._run(range(low, high + 1))

    def growths(self, ranks: Iterable[int], wilds: int) -> Iterator[Cards]:
        """Return the sets of cards that may join the end of a run.

        The sets fill the first of `ranks`, the first two, and so on, with at most `wilds` Artifacts
        each.
        """
        wanted = tuple(ranks)
        for count in range(1, len(wanted) + 1):
            cards = self._run(wanted[:count])
            if cards and sum(not shown.card.gold for shown in cards) <= wilds:
                yield cards

    def _run(self, ranks: Iterable[int]) -> Cards:
        """Return gold cards of these ranks, with Artifacts for missing ones.

        The result is () if there are too few Artifacts.
        """
        artifacts = iter(self.artifacts)
        cards = [self.golds.get(rank) or next(artifacts, None) for rank in ranks]
        found = tuple(card for card in cards if card is not None)
        return found if len(found) == len(cards) else ()


def _in_order(alike: Sequence[Shown]) -> Cards:
    if len(alike) < 2:
        return tuple(alike)
    return tuple(sorted(alike, key=lambda shown: (shown.card.gold, shown.card.code)))


def like_sets(cards: Cards, *, distinct_suits: bool) -> Iterator[Cards]:
    """Return the naturals of a new meld of like cards: one choice for each number of naturals.

    The first three are of different suits if possible; if `distinct_suits`, they must be. The
    others are in the order of `cards`.
    """
    if len(cards) < FEWEST_NATURALS:
        return
    # The cards are taken from the end, so the first card of each suit wins; in a group of spades
    # that is the plain one, and the gold card stays for a run.
    of_suit = {shown.card.suit: shown for shown in reversed(cards)}
    first = [shown for shown in cards if of_suit[shown.card.suit] is shown][:FEWEST_NATURALS]
    if not distinct_suits or len(first) == FEWEST_NATURALS:
        ordered = (*first, *(shown for shown in cards if shown not in first))
        yield from (ordered[:n] for n in range(FEWEST_NATURALS, len(cards) + 1))
