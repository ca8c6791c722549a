"""Counting a round of Hand and Foot (H60-H65)."""

from collections.abc import Iterator

from attrs import frozen

from engine.cards import Card
from engine.hand_and_foot.constants import CLEAN_BOOK, DIRTY_BOOK, GOING_OUT, RED_THREE
from engine.hand_and_foot.state import HandAndFootState
from engine.like_melds.score import hand_items, meld_items
from engine.score_sheet import CLOSED_CARDS, Item
from engine.sentences import N_
from engine.slots import Side

LINES = (
    "clean books",
    "dirty books",
    "cards melded",
    "red threes",
    "going out",
    "cards in hand",
    "red threes kept in hand",
    CLOSED_CARDS,
)
"""Items that can stand on a sheet, in the order of its lines."""
_CLEAN, _DIRTY = (N_("clean books"), CLEAN_BOOK), (N_("dirty books"), DIRTY_BOOK)


@frozen(kw_only=True, slots=False)
class HandAndFootScore(HandAndFootState):
    """A round of Hand and Foot, with the items that it counts."""

    sheet_lines = LINES

    def table_items(self, side: Side) -> Iterator[Item]:
        laid = self.laid[side]
        yield from meld_items(laid.melds, clean=_CLEAN, dirty=_DIRTY, complete="H60", cards="H61")
        if count := len(laid.bonus):
            points = count * RED_THREE
            yield Item(N_("red threes"), count, points if laid.melds else -points, "H63")

    def going_out_items(self) -> Iterator[Item]:
        yield Item(N_("going out"), 1, GOING_OUT, "H65")

    def hand_items(self, cards: tuple[Card, ...]) -> Iterator[Item]:
        return hand_items(cards, "H62", kept=(RED_THREE, "H64"))
