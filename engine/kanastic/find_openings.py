"""Openings: the sets of melds with which a side may open, found in a hand (K43-K51).

The search goes in two steps. `_parts` makes the formations of naturals: like cards by rank, and
runs of gold cards. For each choice of wild cards, `_Search` then adds formations one by one, the
dearest first, until the set meets the side's stage.

That order keeps sets minimal. Say a side needs 90 points and holds formations worth 60, 40 and 30.
The search finds 60 + 40, and 60 + 30, and stops at both. 40 + 30 + wild cards worth 25 is found,
too: here all parts are needed. It never finds 60 + 40 + 30, because it adds no part to a set that
is enough. Each set needs its last part, which is the cheapest. So it needs the dearer parts even
more.
"""

from collections.abc import Iterator

from attrs import evolve, frozen

from engine.errors import IllegalMove
from engine.kanastic.constants import LARGEST_RANK_MELD, MOST_WILDS, Stage, is_wild, points_of
from engine.kanastic.golden_suit_runs import is_golden, meets
from engine.kanastic.melding import check_opening
from engine.kanastic.melds import new_meld
from engine.kanastic.sorted_hand import Cards, SortedHand, like_sets
from engine.melds import Meld
from engine.moves import Play
from engine.slots import cards_of, slots_of


def openings(
    stage: Stage, hand: SortedHand, *, fixed: Cards = (), distinct_suits: bool
) -> Iterator[tuple[Play, ...]]:
    """Return an iterator over sets of plays that meet the stage.

    If `fixed` is given, these cards are the first play of each set. Without any one of its other
    plays, a set would not meet the stage. Wild cards lie on the dearest melds of like cards.
    """
    # Here and in `_parts`, `like_sets` has chosen the suits already (K31), so they are not tested
    # again.
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
    """The search for sets of melds that meet `stage` and have all of `wilds` on them."""

    stage: Stage
    wilds: Cards
    fixed: int
    """Number of melds at the beginning that get no wild cards."""

    def sets(self, chosen: tuple[Meld, ...], parts: list[Meld]) -> Iterator[tuple[Meld, ...]]:
        """Return an iterator over the sets that begin with `chosen` and go on with some of `parts`.

        The parts come dearest first, so a set that meets the stage only with its last part needs
        all the others, too. If the stage needs a canasta, one part is enough, so no second one is
        added.
        """
        melds = self._with_wilds(chosen)
        if self._met_by(melds):
            yield melds
        elif self.stage.points is not None or len(chosen) == self.fixed:
            for number, part in enumerate(parts):
                if self._fits(part, chosen):
                    yield from self.sets((*chosen, part), parts[number + 1 :])

    def _with_wilds(self, chosen: tuple[Meld, ...]) -> tuple[Meld, ...]:
        """Return the melds with the wild cards laid on them; () if there is no room for all."""
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
        """Return True if the part can be laid together with the `chosen` melds and all `wilds`."""
        # Artifacts in runs count towards the limit of wild cards, and so do the wild cards that are
        # laid on the set in the end (K49).
        wilds = sum(map(_wilds, (*chosen, part)), len(self.wilds))
        # A golden suit that meets the stage by itself may have any number of wild cards (K51a).
        too_wild = self.stage.wilds is not None and wilds > self.stage.wilds
        if too_wild and not meets(part, self.stage):
            return False
        # Parts are made from the whole hand. So a gold six may be in a part of sixes and in a run,
        # and an Artifact in a run and among `wilds`.
        used = {slot for meld in chosen for slot in slots_of(meld.cards)} | {*slots_of(self.wilds)}
        ranks = {meld.rank for meld in chosen if meld.rank}
        return part.rank not in ranks and used.isdisjoint(slots_of(part.cards))
