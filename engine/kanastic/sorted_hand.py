"""A hand of Kanastic sorted for melding, and the formations that can be made of it."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import combinations_with_replacement, product

from attrs import frozen

from engine.cards import Rank
from engine.kanastic.values import FEWEST_NATURALS, MOST_WILDS
from engine.slots import Shown

Cards = tuple[Shown, ...]

_PLACES = range(Rank.FOUR, Rank.ACE + 1)


@frozen
class SortedHand:
    """`ranks` are the naturals by rank, gold cards last; `golds` these alone, by rank."""

    ranks: dict[Rank, Cards]
    golds: dict[Rank, Shown]
    swords: Cards
    artifacts: Cards

    @classmethod
    def of(cls, hand: Iterable[Shown]) -> "SortedHand":
        by_rank: dict[Rank, list[Shown]] = defaultdict(list)
        for shown in sorted(hand, key=lambda shown: (shown.card.gold, shown.card.code)):
            by_rank[shown.card.rank].append(shown)
        naturals = {rank: tuple(by_rank[rank]) for rank in sorted(by_rank) if rank <= Rank.ACE}
        golds = {rank: cards[-1] for rank, cards in naturals.items() if cards[-1].card.gold}
        return cls(naturals, golds, tuple(by_rank[Rank.SWORD]), tuple(by_rank[Rank.ARTIFACT]))

    def wilds(self, most: int) -> Iterator[Cards]:
        """Every choice of at most `most` wild cards, up to equal faces, none first."""
        for swords, artifacts in product(range(len(self.swords) + 1), range(most + 1)):
            if swords + artifacts <= most and artifacts <= len(self.artifacts):
                # The last Artifacts: a golden suit of the same hand takes the first ones.
                yield self.swords[:swords] + self.artifacts[len(self.artifacts) - artifacts :]

    def runs(self) -> Iterator[Cards]:
        """Every new run of gold cards, with Artifacts only where a gold card is missing."""
        if len(self.golds) < FEWEST_NATURALS:
            return
        for low, high in combinations_with_replacement(_PLACES, 2):
            ranks = range(low, high + 1)
            golds = sum(rank in self.golds for rank in ranks)
            enough = golds >= FEWEST_NATURALS and len(ranks) - golds <= MOST_WILDS
            if enough and (run := self._run(ranks)):
                yield run

    def growths(self, ranks: Iterable[int], wilds: int) -> Iterator[Cards]:
        """What may join the end of a run: the first of `ranks`, the first two, and so on, with so
        many Artifacts at most.
        """
        wanted = tuple(ranks)
        for count in range(1, len(wanted) + 1):
            cards = self._run(wanted[:count])
            if cards and sum(not shown.card.gold for shown in cards) <= wilds:
                yield cards

    def _run(self, ranks: Iterable[int]) -> Cards:
        """Gold cards of these ranks, Artifacts for missing ones; () where there are too few."""
        artifacts = iter(self.artifacts)
        cards = [self.golds.get(Rank(rank)) or next(artifacts, None) for rank in ranks]
        found = tuple(card for card in cards if card is not None)
        return found if len(found) == len(cards) else ()


def like_sets(cards: Cards, *, distinct_suits: bool) -> Iterator[Cards]:
    """The naturals of a new meld of like cards: one choice for each number of them.

    Different suits come first, and otherwise `cards` keep their order.
    """
    of_suit = {shown.card.suit: shown for shown in reversed(cards)}
    first = [shown for shown in cards if of_suit[shown.card.suit] is shown][:FEWEST_NATURALS]
    if not distinct_suits or len(first) == FEWEST_NATURALS:
        ordered = (*first, *(shown for shown in cards if shown not in first))
        yield from (ordered[:n] for n in range(FEWEST_NATURALS, len(cards) + 1))
