"""A hand sorted for melding."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from attrs import evolve, frozen

from engine.canasta.values import CARD_POINTS, is_red_three
from engine.cards import Rank
from engine.slots import Shown


@frozen
class SortedHand:
    """Naturals (and black threes) by ascending rank, twos, and jokers; no red threes."""

    ranks: Mapping[Rank, tuple[Shown, ...]]
    twos: tuple[Shown, ...]
    jokers: tuple[Shown, ...]

    @classmethod
    def of(cls, hand: Iterable[Shown]) -> "SortedHand":
        ranks: dict[Rank, list[Shown]] = defaultdict(list)
        for shown in hand:
            ranks[shown.card.rank].append(shown)
        if threes := [s for s in ranks.pop(Rank.THREE, ()) if not is_red_three(s.card)]:
            ranks[Rank.THREE] = threes
        for alike in ranks.values():
            if len(alike) > 1:
                alike.sort(key=lambda shown: (shown.card.code, shown.slot))
        wilds = [tuple(ranks.pop(rank, ())) for rank in (Rank.TWO, Rank.JOKER)]
        return cls({rank: tuple(ranks[rank]) for rank in sorted(ranks)}, *wilds)

    @property
    def wild_count(self) -> int:
        return len(self.twos) + len(self.jokers)

    def wild_points(self, count: int, jokers: int) -> int:
        """What `count` wild cards are worth with so many `jokers` among them."""
        return jokers * CARD_POINTS[Rank.JOKER] + (count - jokers) * CARD_POINTS[Rank.TWO]

    def wilds(self, count: int, jokers: int) -> tuple[Shown, ...]:
        """So many wild cards, the jokers first."""
        return self.jokers[:jokers] + self.twos[: count - jokers]

    def joker_counts(self, count: int) -> range:
        """How many jokers there can be among `count` wild cards of this hand."""
        return range(max(0, count - len(self.twos)), min(count, len(self.jokers)) + 1)

    def wild_choices(self, most: int) -> Iterator[tuple[Shown, ...]]:
        """Every choice of at most `most` wild cards, up to equal faces, none first."""
        for count in range(most + 1):
            for jokers in self.joker_counts(count):
                yield self.wilds(count, jokers)

    def plus(self, natural: Shown) -> "SortedHand":
        """With one more natural, the first of its rank."""
        rank = natural.card.rank
        ranks = {**self.ranks, rank: (natural, *self.ranks.get(rank, ()))}
        return evolve(self, ranks=dict(sorted(ranks.items())))

    def without(self, rank: Rank) -> "SortedHand":
        """This hand without one card of a natural rank."""
        fewer = {**self.ranks, rank: self.ranks[rank][:-1]}
        return evolve(self, ranks={r: cards for r, cards in fewer.items() if cards})

    def each_without_one(self) -> Iterator["SortedHand"]:
        """This hand without one card, once for each kind of card in it."""
        yield from map(self.without, self.ranks)
        if self.twos:
            yield evolve(self, twos=self.twos[:-1])
        if self.jokers:
            yield evolve(self, jokers=self.jokers[:-1])
