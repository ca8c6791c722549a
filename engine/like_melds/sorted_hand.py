"""A hand sorted for melds of like cards."""

from collections.abc import Collection, Iterator, Mapping, Sequence

from attrs import frozen

from engine.cards import Rank
from engine.like_melds.cards import CARD_POINTS, WILD_RANKS, is_red_three
from engine.slots import Shown

_TWO, _THREE, _JOKER = Rank.TWO, Rank.THREE, Rank.JOKER  # looked up often


@frozen
class SortedHand:
    """Naturals (and black threes) by ascending rank, twos, and jokers; no red threes."""

    ranks: Mapping[Rank, tuple[Shown, ...]]
    twos: tuple[Shown, ...]
    jokers: tuple[Shown, ...]

    @classmethod
    def of(cls, ranks: Mapping[Rank, Sequence[Shown]]) -> "SortedHand":
        """Return the sorted hand of cards that are given by rank, in any order."""
        melded = sorted(ranks.keys() - WILD_RANKS)
        naturals = {rank: _in_order(ranks[rank]) for rank in melded}
        if _THREE in naturals:
            black = tuple([s for s in naturals.pop(_THREE) if not is_red_three(s.card)])
            # Threes are the lowest rank, so in front they keep the ascending order.
            naturals = {_THREE: black, **naturals} if black else naturals
        twos, jokers = ranks.get(_TWO, ()), ranks.get(_JOKER, ())
        return cls(naturals, _in_order(twos), _in_order(jokers))

    @property
    def wild_count(self) -> int:
        """Number of wild cards."""
        return len(self.twos) + len(self.jokers)

    @property
    def size(self) -> int:
        """Number of all cards."""
        return sum(map(len, self.ranks.values())) + self.wild_count

    def wild_points(self, count: int, jokers: int) -> int:
        """Return the points of `count` wild cards, of which `jokers` are jokers."""
        return jokers * CARD_POINTS[Rank.JOKER] + (count - jokers) * CARD_POINTS[Rank.TWO]

    def wilds(self, count: int, jokers: int) -> tuple[Shown, ...]:
        """Return `count` wild cards, the jokers first."""
        return self.jokers[:jokers] + self.twos[: count - jokers]

    def joker_counts(self, count: int) -> range:
        """Return the possible numbers of jokers among `count` wild cards of this hand.

        With two twos and three jokers, four wild cards have two or three jokers.
        """
        return range(max(0, count - len(self.twos)), min(count, len(self.jokers)) + 1)

    def wild_choices(self, most: int) -> tuple[tuple[Shown, ...], ...]:
        """Return the choices of at most `most` wild cards, () first, each set of faces once."""
        if not (most and (self.twos or self.jokers)):
            return ((),)
        return tuple(
            [
                self.wilds(count, jokers)
                for count in range(min(most, self.wild_count) + 1)
                for jokers in self.joker_counts(count)
            ]
        )

    def led_by(self, natural: Shown) -> "SortedHand":
        """Return the hand with this card as the first of its rank."""
        alike = self.ranks[natural.card.rank]
        rest = [shown for shown in alike if shown.slot != natural.slot]
        ranks = {**self.ranks, natural.card.rank: (natural, *rest)}
        return SortedHand(ranks, self.twos, self.jokers)

    def without(self, rank: Rank) -> "SortedHand":
        """Return the hand without one card of a natural rank."""
        # The last card is left out. So the pile's top, which `led_by` puts first, stays in the hand
        # as long as there is another card of its rank.
        fewer = {**self.ranks, rank: self.ranks[rank][:-1]}
        ranks = {r: cards for r, cards in fewer.items() if cards}
        return SortedHand(ranks, self.twos, self.jokers)

    def each_without_one(self, laid: Collection[Rank | None]) -> Iterator["SortedHand"]:
        """Return an iterator over hands with one card left out, one hand for each rank.

        A pair stays whole unless the side has a meld of its rank: without such a meld, the single
        card that is left could not be laid. `laid` are the ranks of the side's melds.
        """
        for rank, cards in self.ranks.items():
            if len(cards) != 2 or rank in laid:
                yield self.without(rank)
        if self.twos:
            yield SortedHand(self.ranks, self.twos[:-1], self.jokers)
        if self.jokers:
            yield SortedHand(self.ranks, self.twos, self.jokers[:-1])


def _face_and_slot(shown: Shown) -> tuple[str, int]:
    return shown.card.code, shown.slot


def _in_order(alike: Sequence[Shown]) -> tuple[Shown, ...]:
    if len(alike) < 2:
        return tuple(alike)
    return tuple(sorted(alike, key=_face_and_slot))
