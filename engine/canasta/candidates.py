"""Moves of Canasta worth trying, from what the replica sees of the mover's hand.

Bounds (all else is complete up to cards of equal face): an opening of several melds is tried with
each meld holding all its naturals, in sets of two and three melds, and as the greedy set that lays
the dearest melds until the minimum is reached. Everything tried is judged by `apply`.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import combinations, product
from typing import TYPE_CHECKING

from attrs import frozen

from engine.canasta.values import (
    MOST_WILDS,
    is_black_three,
    is_natural,
    is_red_three,
    is_wild,
    opening_minimum,
    points_of,
)
from engine.cards import Rank
from engine.moves import (
    Answer,
    Ask,
    Cut,
    Discard,
    DrawStock,
    LayMelds,
    Move,
    Pass,
    Play,
    ShowBonus,
    TakePile,
)
from engine.places import Shown, cards_of
from engine.position import Step

if TYPE_CHECKING:
    from engine.canasta.position import CanastaPosition


@frozen
class Holding:
    """A hand sorted for melding: naturals (and black threes) by rank, twos, and jokers."""

    ranks: dict[Rank, tuple[Shown, ...]]
    twos: tuple[Shown, ...]
    jokers: tuple[Shown, ...]

    @classmethod
    def of(cls, hand: Iterable[Shown]) -> "Holding":
        ranks: dict[Rank, list[Shown]] = defaultdict(list)
        wilds: dict[Rank, list[Shown]] = defaultdict(list)
        for shown in sorted(hand, key=lambda shown: (shown.card.code, shown.slot)):
            card = shown.card
            if is_wild(card):
                wilds[card.rank].append(shown)
            elif is_natural(card) or is_black_three(card):
                ranks[card.rank].append(shown)
        return cls(
            {rank: tuple(cards) for rank, cards in sorted(ranks.items())},
            tuple(wilds[Rank.TWO]),
            tuple(wilds[Rank.JOKER]),
        )

    def wilds(self, most: int) -> Iterator[tuple[Shown, ...]]:
        """Every choice of at most `most` wild cards, up to equal faces, none first."""
        for twos, jokers in product(range(most + 1), repeat=2):
            fits = twos + jokers <= most and twos <= len(self.twos) and jokers <= len(self.jokers)
            if fits:
                yield self.twos[:twos] + self.jokers[:jokers]


def candidates(position: "CanastaPosition") -> Iterator[Move]:
    """See the module."""
    hand = position.hand(position.turn.seat)
    red_threes = tuple(shown for shown in hand if is_red_three(shown.card))
    match position.turn.step:
        case Step.CUT:
            yield from map(Cut, range(len(position.stock)))
        case Step.SHOW:
            yield ShowBonus(red_threes)
        case Step.DRAW:
            yield DrawStock()
            yield from map(TakePile, _takings(position, Holding.of(hand)))
            yield Pass()
        case Step.PLAY if red_threes:  # a duty that only its holder sees (C62)
            yield ShowBonus(red_threes)
        case Step.PLAY:
            yield from map(LayMelds, _layings(position, Holding.of(hand)))
            yield Ask()
            yield from map(Discard, _each_face(hand))
            yield Pass()
        case Step.ANSWER:
            yield Answer(True)
            yield Answer(False)


def _each_face(hand: tuple[Shown, ...]) -> Iterator[Shown]:
    return iter({shown.card.code: shown for shown in reversed(hand)}.values())


def _layings(position: "CanastaPosition", holding: Holding) -> Iterator[tuple[Play, ...]]:
    melds = position.laid[position.side].melds
    news = [p for p in _new_plays(holding) if p.cards[0].card.rank not in {m.rank for m in melds}]
    if not melds:
        yield from _openings(position, holding, (), news)
        return
    yield from ((play,) for play in news)
    for number, meld in enumerate(melds):
        naturals = holding.ranks.get(meld.rank, ()) if meld.rank else ()
        for count, wilds in product(range(len(naturals) + 1), holding.wilds(MOST_WILDS)):
            if count or wilds:
                yield (Play(naturals[:count] + wilds, onto=number),)


def _new_plays(holding: Holding) -> Iterator[Play]:
    """Every new meld of the hand: the naturals come first in it."""
    for naturals in holding.ranks.values():
        for count, wilds in product(range(2, len(naturals) + 1), holding.wilds(MOST_WILDS)):
            if count + len(wilds) >= 3:
                yield Play(naturals[:count] + wilds)


def _openings(
    position: "CanastaPosition",
    holding: Holding,
    fixed: tuple[Play, ...],
    news: list[Play],
) -> Iterator[tuple[Play, ...]]:
    """Sets of plays that contain `fixed` and reach the opening."""
    minimum = opening_minimum(position.totals[position.side])
    fixed_ranks = {play.cards[0].card.rank for play in fixed}
    free = [play for play in news if play.cards[0].card.rank not in fixed_ranks]
    whole = [play for play in free if _is_whole(play, holding)]
    seen = set()
    for count in range(0 if fixed else 1, 4 - len(fixed)):
        for chosen in combinations(free if count == 1 else whole, count):
            plays = fixed + chosen
            if _disjoint(plays) and _points(plays) >= minimum:
                seen.add(plays)
                yield plays
    greedy = fixed
    for play in sorted(whole, key=lambda play: -_points((play,))):
        if _points(greedy) >= minimum:
            break
        if _disjoint((*greedy, play)):
            greedy = (*greedy, play)
    if _points(greedy) >= minimum and greedy not in seen:
        yield greedy


def _is_whole(play: Play, holding: Holding) -> bool:
    """All naturals of the rank, with at most one wild card."""
    rank = play.cards[0].card.rank
    return len(play.cards) - len(holding.ranks[rank]) in (0, 1) and all(
        shown in play.cards for shown in holding.ranks[rank]
    )


def _disjoint(plays: tuple[Play, ...]) -> bool:
    slots = [shown.slot for play in plays for shown in play.cards]
    ranks = [play.cards[0].card.rank for play in plays]
    return len(set(slots)) == len(slots) and len(set(ranks)) == len(ranks)


def _points(plays: tuple[Play, ...]) -> int:
    return sum(points_of(cards_of(play.cards)) for play in plays)


def _takings(position: "CanastaPosition", holding: Holding) -> Iterator[tuple[Play, ...]]:
    if not position.pile:
        return
    top = position.pile[-1]
    naturals = holding.ranks.get(top.card.rank, ())
    melds = position.laid[position.side].melds
    onto = next((n for n, meld in enumerate(melds) if meld.rank is top.card.rank), None)
    for count, wilds in product(range(len(naturals) + 1), holding.wilds(MOST_WILDS)):
        play = Play((top, *naturals[:count], *wilds), onto=onto)
        if melds:
            yield (play,)
        elif count >= 2:
            yield from _openings(position, holding, (play,), list(_new_plays(holding)))
