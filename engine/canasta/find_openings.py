"""Openings: the cheapest sets of melds that reach the minimum.

The points of a set depend on its naturals and on how many of its wild cards are jokers, not on
where those lie. So it is enough to know, for each number of wild cards and each sum of natural
points, the set of fewest cards: sums go up in fives to the minimum, and the search is bounded.
"""

from collections.abc import Iterator, Mapping, Sequence

from engine.canasta.sorted_hand import SortedHand
from engine.canasta.values import CARD_POINTS, MOST_WILDS, WILD_RANKS
from engine.cards import Rank
from engine.moves import Play
from engine.slots import Shown

_Part = tuple[Rank, int, int]
"""One meld of a set: so many naturals of a rank and so many wild cards."""
_Set = tuple[_Part, ...]


def openings(
    hand: SortedHand, minimum: int, most: int, top: Shown | None = None
) -> Iterator[tuple[Play, ...]]:
    """For each number of wild cards the opening of fewest cards, where at most `most` will do.

    With the `top` of the pile, which must be one of `hand`, in a meld of three naturals.
    Of wild cards, jokers are spent last. If any opening of at most `most` cards reaches
    `minimum`, one is found.
    """
    best: dict[int, tuple[int, tuple[Play, ...]]] = {}
    for (wilds, points), (size, parts) in _cheapest(hand, minimum, top).items():
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


def points_in_reach(ranks: Mapping[Rank, Sequence[Shown]]) -> int:
    """What the cards of a hand by rank are worth, all wild cards and the naturals that could be
    melded: no melds of them have more points.
    """
    fewest = 2 if Rank.TWO in ranks or Rank.JOKER in ranks else 3
    return sum(
        [
            len(cards) * CARD_POINTS[rank]
            for rank, cards in ranks.items()
            if len(cards) >= fewest or rank in WILD_RANKS
        ]
    )


def _cheapest(
    hand: SortedHand, minimum: int, top: Shown | None
) -> dict[tuple[int, int], tuple[int, _Set]]:
    """By number of wild cards and points of naturals (counted up to `minimum`): the set of fewest
    cards, with their number.
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
            for wilds in range(0 if naturals > 2 else 1, min(MOST_WILDS, most_wilds) + 1)
        ]
        if not (parts or must):
            continue
        grown = {} if must else dict(best)
        for (wilds, points), (size, chosen) in best.items():
            for part, worth in parts:
                _, naturals, more_wilds = part
                after = wilds + more_wilds
                if after > most_wilds:
                    continue
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
