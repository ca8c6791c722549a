"""Counting a round of Samba (S60-S65)."""

from collections.abc import Iterator

from engine.like_melds.cards import points_of
from engine.like_melds.melds import is_complete
from engine.like_melds.score import meld_items
from engine.melds import Laid
from engine.samba.melds import is_samba
from engine.samba.values import (
    ALL_RED_THREES,
    MIXED_CANASTA,
    NATURAL_CANASTA,
    RED_THREE,
    RED_THREES,
    SAMBA,
)
from engine.score_sheet import CLOSED_CARDS, Item
from engine.sentences import N_

LINES = (
    "sambas",
    "natural canastas",
    "mixed canastas",
    "cards melded",
    "cards in sequences",
    "red threes",
    "going out",
    "cards in hand",
    "red threes kept in hand",
    CLOSED_CARDS,
)
"""Items that can stand on a sheet, the first line first."""
_CLEAN = N_("natural canastas"), NATURAL_CANASTA
_DIRTY = N_("mixed canastas"), MIXED_CANASTA


def table_items(laid: Laid, canastas: int) -> Iterator[Item]:
    """Return the items for the cards before a side (S60, S61, S63).

    `canastas` is the number of canastas and sambas that going out takes.
    """
    sequences = [meld for meld in laid.melds if meld.rank is None]
    if sambas := sum(map(is_samba, sequences)):
        yield Item(N_("sambas"), sambas, sambas * SAMBA, "S60")
    like = tuple(meld for meld in laid.melds if meld.rank is not None)
    yield from meld_items(like, clean=_CLEAN, dirty=_DIRTY, complete="S60", cards="S61")
    if count := sum(len(meld.cards) for meld in sequences):
        cards = tuple(shown.card for meld in sequences for shown in meld.cards)
        yield Item(N_("cards in sequences"), count, points_of(cards), "S61")
    if count := len(laid.bonus):
        points = ALL_RED_THREES if count == RED_THREES else count * RED_THREE
        counts = sum(map(is_complete, laid.melds)) >= canastas
        yield Item(N_("red threes"), count, points if counts else -points, "S63")
