"""Openings: the cheapest sets of melds that reach the minimum.

The points of a set depend on its naturals, on the number of its wild cards, and on how many of its
wild cards are jokers. They do not depend on the melds in which the wild cards lie. So it is enough
to know, for each number of wild cards and each sum of points of naturals, the set of fewest cards.
`_cheapest` finds these sets rank by rank. It begins with the empty set, and for each rank extends
every set found so far by each meld of that rank. Sums go up in fives and stop at the minimum. So
with a minimum of 50 and three wild cards it keeps at most 11 x 4 sets, however large the hand.
`openings` then picks, for each number of wild cards, the smallest set that reaches the minimum with
some choice of jokers and twos.
"""

from collections.abc import Iterator

from engine.cards import Rank
from engine.like_melds.cards import CARD_POINTS
from engine.like_melds.melds import LikeMelds
from engine.like_melds.sorted_hand import SortedHand
from engine.moves import Play
from engine.slots import Shown

_Part = tuple[Rank, int, int]
"""One meld of a set: a rank, the number of its naturals, and the number of its wild cards."""
_Set = tuple[_Part, ...]


def openings(
    like: LikeMelds, hand: SortedHand, minimum: int, most: int, top: Shown | None = None
) -> Iterator[tuple[Play, ...]]:
    """Return an iterator over the smallest openings, one for each number of wild cards.

    An opening has at most `most` cards; the others must stay in the hand. If `top`, the top of the
    pile, is given, `hand` must contain it, and every opening has it in a meld with two more
    naturals. Twos are spent before jokers. If any opening reaches `minimum`, one is found.
    """
    best: dict[int, tuple[int, tuple[Play, ...]]] = {}
    for (wilds, points), (size, parts) in _cheapest(like, hand, minimum, top).items():
        # The fewest jokers that bring enough points: three wild cards are worth 60, 90, 120 or 150.
        jokers = next(
            (
                jokers
                for jokers in hand.joker_counts(wilds)
                if points + hand.wild_points(wilds, jokers) >= minimum
            ),
            None,
        )
        if jokers is None or size > most:
            continue
        if wilds not in best or size < best[wilds][0]:
            best[wilds] = size, _plays(hand, parts, hand.wilds(wilds, jokers))
    for _, plays in best.values():
        yield plays


def _cheapest(
    like: LikeMelds, hand: SortedHand, minimum: int, top: Shown | None
) -> dict[tuple[int, int], tuple[int, _Set]]:
    """Return the smallest set, with its size, by number of wild cards and points of naturals.

    Points count up to `minimum`, so all richer sets share one key.
    """
    best: dict[tuple[int, int], tuple[int, _Set]] = {(0, 0): (0, ())}
    most_wilds = hand.wild_count
    for rank, cards in hand.ranks.items():
        if rank is Rank.THREE:
            continue
        must = top is not None and rank is top.card.rank
        parts = [
            ((rank, naturals, wilds), naturals * CARD_POINTS[rank])
            for naturals in range(3 if must else 2, len(cards) + 1)
            for wilds in like.wilds_beside[naturals]
            if wilds <= most_wilds
        ]
        if not (parts or must):
            continue
        # `grown` is a copy, so a set gets at most one meld of each rank. The rank of the pile's top
        # must be among the melds, so sets without it are dropped.
        grown = {} if must else dict(best)
        for (wilds, points), (size, chosen) in best.items():
            for part, worth in parts:
                _, naturals, more_wilds = part
                after = wilds + more_wilds
                if after > most_wilds:
                    continue
                # Sums above the minimum share one key: of two sets that reach it only the smaller
                # one can be the opening of fewest cards.
                key = after, min(points + worth, minimum)
                larger = size + naturals + more_wilds
                if key not in grown or larger < grown[key][0]:
                    grown[key] = larger, (*chosen, part)
        best = grown
    return best


def _plays(hand: SortedHand, parts: _Set, wilds: tuple[Shown, ...]) -> tuple[Play, ...]:
    plays = []
    for rank, naturals, count in parts:
        plays.append(Play(hand.ranks[rank][:naturals] + wilds[:count]))
        wilds = wilds[count:]
    return tuple(plays)
