"""The sets of melds with which a side may open, found in a hand (K43-K51)."""

from collections.abc import Iterator, Mapping, Sequence

from attrs import evolve, frozen

from engine.cards import Rank
from engine.errors import IllegalMove
from engine.kanastic.golden_suits import is_golden, meets
from engine.kanastic.melding import check_opening
from engine.kanastic.melds import new_meld
from engine.kanastic.sorted_hand import Cards, SortedHand, like_sets
from engine.kanastic.values import (
    CARD_POINTS,
    FEWEST_NATURALS,
    LARGEST_RANK_MELD,
    MOST_WILDS,
    Stage,
    is_natural,
    is_wild,
    points_of,
)
from engine.melds import Meld
from engine.moves import Play
from engine.slots import Shown, cards_of, slots_of


def may_open(stage: Stage, ranks: Mapping[Rank, Sequence[Shown]], golds: Sequence[Shown]) -> bool:
    """A quick look at a hand by rank, and its gold cards: whether there are enough naturals for a
    meld, and points for the stage if all of these and all wild cards were laid.
    """
    runs = len(golds) >= FEWEST_NATURALS
    melded = [
        shown.card
        for alike in ranks.values()
        for shown in alike
        if len(alike) >= FEWEST_NATURALS or is_wild(shown.card) or (runs and shown.card.gold)
    ]
    if not any(map(is_natural, melded)):
        return False
    if stage.points is None or (runs and len(melded) >= stage.suit):
        return True
    return points_of([card for card in melded if card.rank in CARD_POINTS]) >= stage.points


def openings(
    stage: Stage, hand: SortedHand, *, fixed: Cards = (), distinct_suits: bool
) -> Iterator[tuple[Play, ...]]:
    """Sets of plays that meet the stage, with `fixed` as the first play where it is given.

    No other play of a set could be left out; wild cards lie on its dearest melds of like cards.
    """
    start = (new_meld(fixed, distinct_suits=False),) if fixed else ()
    parts = sorted(_parts(hand, distinct_suits), key=_points, reverse=True)
    for wilds in hand.wilds(MOST_WILDS if stage.wilds is None else stage.wilds):
        for melds in _Search(stage, wilds, len(start)).sets(start, parts):
            yield tuple(Play(meld.cards) for meld in melds)


def _parts(hand: SortedHand, distinct_suits: bool) -> Iterator[Meld]:
    for cards in hand.ranks.values():
        for naturals in like_sets(cards, distinct_suits=distinct_suits):
            yield new_meld(naturals, distinct_suits=False)
    for run in hand.runs():
        yield new_meld(run, distinct_suits=False)


def _points(meld: Meld) -> int:
    return points_of(cards_of(meld.cards))


def _wilds(meld: Meld) -> int:
    return sum(map(is_wild, cards_of(meld.cards)))


@frozen
class _Search:
    """For sets that meet `stage` with all of `wilds`, after `fixed` melds that take none."""

    stage: Stage
    wilds: Cards
    fixed: int

    def sets(self, chosen: tuple[Meld, ...], parts: list[Meld]) -> Iterator[tuple[Meld, ...]]:
        """Those that begin with `chosen` and go on with some of `parts`.

        The parts come dearest first, so whatever meets the stage only with its last part needs
        all the others too. Where the stage wants a canasta, one part is as good as many.
        """
        melds = self._with_wilds(chosen)
        if self._met_by(melds):
            yield melds
        elif self.stage.points is not None or len(chosen) == self.fixed:
            for number, part in enumerate(parts):
                if self._fits(part, chosen):
                    yield from self.sets((*chosen, part), parts[number + 1 :])

    def _with_wilds(self, chosen: tuple[Meld, ...]) -> tuple[Meld, ...]:
        """The melds with the wild cards laid on them; () where there is no room for all."""
        melds, left = list(chosen[: self.fixed]), self.wilds
        for meld in chosen[self.fixed :]:
            room = 0 if is_golden(meld) else min(MOST_WILDS, LARGEST_RANK_MELD - len(meld.cards))
            melds.append(evolve(meld, cards=meld.cards + left[:room]))
            left = left[room:]
        return () if left else tuple(melds)

    def _met_by(self, melds: tuple[Meld, ...]) -> bool:
        try:
            check_opening(melds, self.stage)
        except IllegalMove:
            return False
        return bool(melds)

    def _fits(self, part: Meld, chosen: tuple[Meld, ...]) -> bool:
        """Whether the part can lie beside the others, and may as far as wild cards go."""
        wilds = sum(map(_wilds, (*chosen, part)), len(self.wilds))
        too_wild = self.stage.wilds is not None and wilds > self.stage.wilds
        if too_wild and not meets(part, self.stage):
            return False
        used = {slot for meld in chosen for slot in slots_of(meld.cards)} | {*slots_of(self.wilds)}
        ranks = {meld.rank for meld in chosen if meld.rank}
        return part.rank not in ranks and used.isdisjoint(slots_of(part.cards))
