"""Counting a round of Hand and Foot (H60-H65)."""

from collections.abc import Iterator

from engine.hand_and_foot.values import CLEAN_BOOK, DIRTY_BOOK, RED_THREE
from engine.like_melds.score import meld_items
from engine.melds import Laid
from engine.score_sheet import CLOSED_CARDS, Item
from engine.sentences import N_

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
"""Items that can stand on a sheet, the first line first."""
_CLEAN, _DIRTY = (N_("clean books"), CLEAN_BOOK), (N_("dirty books"), DIRTY_BOOK)


def table_items(laid: Laid) -> Iterator[Item]:
    """Return the items for the cards before a side (H60, H61, H63)."""
    yield from meld_items(laid.melds, clean=_CLEAN, dirty=_DIRTY, complete="H60", cards="H61")
    if count := len(laid.bonus):
        points = count * RED_THREE
        yield Item(N_("red threes"), count, points if laid.melds else -points, "H63")
