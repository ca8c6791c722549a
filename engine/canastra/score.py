"""Counting a round of Canastra (B56-B64)."""

from collections import Counter
from collections.abc import Iterator, Mapping

from attrs import frozen

from engine.canastra import constants
from engine.canastra.state import CanastraState
from engine.cards import Card
from engine.position_facts import MeldClass
from engine.score_sheet import CLOSED_CARDS, Item
from engine.sentences import N_, Marked
from engine.slots import Side

CANASTRA_POINTS: Mapping[MeldClass, int] = {
    MeldClass.SPECIAL: constants.REAL_CANASTRA,
    MeldClass.CLEAN: constants.CLEAN_CANASTRA,
    MeldClass.DIRTY: constants.DIRTY_CANASTRA,
}
_NAMES: Mapping[MeldClass, Marked] = {
    MeldClass.SPECIAL: N_("real canastras"),
    MeldClass.CLEAN: N_("clean canastras"),
    MeldClass.DIRTY: N_("dirty canastras"),
}


LINES = (
    "real canastras",
    "clean canastras",
    "dirty canastras",
    "cards in runs",
    "going out",
    "cards in hand",
    CLOSED_CARDS,
)
"""Items that can stand on a sheet, in the order of its lines."""


@frozen(kw_only=True, slots=False)
class CanastraScore(CanastraState):
    """A round of Canastra, with the items that it counts."""

    sheet_lines = LINES

    def round_items(self, side: Side) -> Iterator[Item]:
        yield from self.table_items(side)
        # Cards in hands cost nothing if nobody went out. The base class would count them, so its
        # `round_items` is not called.
        if self.closer is None:
            return  # B63
        if self.side_of(self.closer) == side:
            yield from self.going_out_items()
        else:
            yield from _held(sum(len(self.hands[seat]) for seat in self.members(side)))

    def going_out_items(self) -> Iterator[Item]:
        yield Item(N_("going out"), 1, constants.GOING_OUT, "B61")

    def table_items(self, side: Side) -> Iterator[Item]:
        melds = self.laid[side].melds
        classes = Counter(map(self.meld_class, melds))
        for canastra, points in CANASTRA_POINTS.items():
            if count := classes[canastra]:
                clause = "B59" if canastra is MeldClass.SPECIAL else "B57"
                yield Item(_NAMES[canastra], count, count * points, clause)
        if cards := sum(len(meld.cards) for meld in melds):
            yield Item(N_("cards in runs"), cards, cards * constants.CARD, "B56")

    def hand_items(self, cards: tuple[Card, ...]) -> Iterator[Item]:
        return _held(len(cards))


def _held(cards: int) -> Iterator[Item]:
    """Return the item for a number of cards that stay in a hand (B62)."""
    if cards:
        yield Item(N_("cards in hand"), cards, -cards * constants.CARD, "B62")
