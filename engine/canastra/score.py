"""Counting a round of Canastra (B56-B64)."""

from collections import Counter
from collections.abc import Iterator, Mapping

from engine.canastra import values
from engine.canastra.runs import run_of
from engine.melds import Laid
from engine.score_sheet import CLOSED_CARDS, Item
from engine.sentences import N_, Marked
from engine.table_status import MeldClass

CANASTRA_POINTS: Mapping[MeldClass, int] = {
    MeldClass.SPECIAL: values.REAL_CANASTRA,
    MeldClass.CLEAN: values.CLEAN_CANASTRA,
    MeldClass.DIRTY: values.DIRTY_CANASTRA,
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
"""Items that can stand on a sheet, the first line first."""


def table_items(laid: Laid) -> Iterator[Item]:
    """Return the items for the runs before a side (B56-B60)."""
    classes = Counter(run_of(meld).canastra for meld in laid.melds)
    for canastra, points in CANASTRA_POINTS.items():
        if count := classes[canastra]:
            clause = "B59" if canastra is MeldClass.SPECIAL else "B57"
            yield Item(_NAMES[canastra], count, count * points, clause)
    if cards := sum(len(meld.cards) for meld in laid.melds):
        yield Item(N_("cards in runs"), cards, cards * values.CARD, "B56")


def hand_items(held: int) -> Iterator[Item]:
    """Return the item for cards that stay in a hand (B62)."""
    if held:
        yield Item(N_("cards in hand"), held, -held * values.CARD, "B62")
