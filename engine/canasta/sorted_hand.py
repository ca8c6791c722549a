"""A hand sorted for melding."""

from collections.abc import Iterable, Iterator, Mapping

from attrs import evolve, frozen

from engine.canasta.values import CARD_POINTS, MELDED_RANKS, is_red_three
from engine.cards import Rank
from engine.slots import Shown, by_rank


@frozen
class SortedHand:
    """Naturals (and black threes) by ascending rank, twos, and jokers; no red threes."""

    ranks: Mapping[Rank, tuple[Shown, ...]]
    twos: tuple[Shown, ...]
    jokers: tuple[Shown, ...]

    @classmethod
    def of(cls, hand: Iterable[Shown]) -> "SortedHand":
        ranks = by_rank(hand)
        if threes := [s for s in ranks.pop(Rank.THREE, ()) if not is_red_three(s.card)]:
            ranks[Rank.THREE] = threes
        for alike in ranks.values():
            if len(alike) > 1:
                alike.sort(key=lambda shown: (shown.card.code, shown.slot))
        naturals = {rank: tuple(ranks[rank]) for rank in MELDED_RANKS if rank in ranks}
        return cls(naturals, tuple(ranks.get(Rank.TWO, ())), tuple(ranks.get(Rank.JOKER, ())))

    @property
    def wild_count(self) -> int:
        return len(self.twos) + len(self.jokers)

    @property
    def size(self) -> int:
        return sum(map(len, self.ranks.values())) + self.wild_count

    def wild_points(self, count: int, jokers: int) -> int:
        """What `count` wild cards are worth with so many `jokers` among them."""
        return jokers * CARD_POINTS[Rank.JOKER] + (count - jokers) * CARD_POINTS[Rank.TWO]

    def wilds(self, count: int, jokers: int) -> tuple[Shown, ...]:
        """So many wild cards, the jokers first."""
        return self.jokers[:jokers] + self.twos[: count - jokers]

    def joker_counts(self, count: int) -> range:
        """How many jokers there can be among `count` wild cards of this hand."""
        return range(max(0, count - len(self.twos)), min(count, len(self.jokers)) + 1)

    def wild_choices(self, most: int) -> tuple[tuple[Shown, ...], ...]:
        """Every choice of at most `most` wild cards, up to equal faces, none first."""
        if not (self.twos or self.jokers):
            return ((),)
        return tuple(
            [
                self.wilds(count, jokers)
                for count in range(most + 1)
                for jokers in self.joker_counts(count)
            ]
        )

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
