"""Counting a round of Samba (S60-S65)."""

from collections.abc import Iterator

from attrs import frozen

from engine.cards import Card
from engine.like_melds.cards import points_of
from engine.like_melds.score import hand_items, meld_items
from engine.samba import constants
from engine.samba.melds import is_samba
from engine.samba.state import SambaState
from engine.score_sheet import CLOSED_CARDS, Item
from engine.sentences import N_
from engine.slots import Side

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
"""Items that can stand on a sheet, in the order of its lines."""
_CLEAN = N_("natural canastas"), constants.NATURAL_CANASTA
_DIRTY = N_("mixed canastas"), constants.MIXED_CANASTA


@frozen(kw_only=True, slots=False)
class SambaScore(SambaState):
    """A round of Samba, with the items that it counts."""

    sheet_lines = LINES

    def table_items(self, side: Side) -> Iterator[Item]:
        laid = self.laid[side]
        sequences = [meld for meld in laid.melds if meld.rank is None]
        if sambas := sum(map(is_samba, sequences)):
            yield Item(N_("sambas"), sambas, sambas * constants.SAMBA, "S60")
        like = tuple(meld for meld in laid.melds if meld.rank is not None)
        yield from meld_items(like, clean=_CLEAN, dirty=_DIRTY, complete="S60", cards="S61")
        if cards := tuple(shown.card for meld in sequences for shown in meld.cards):
            yield Item(N_("cards in sequences"), len(cards), points_of(cards), "S61")
        if count := len(laid.bonus):
            all_of_them = count == constants.RED_THREES
            points = constants.ALL_RED_THREES if all_of_them else count * constants.RED_THREE
            counts = self.has_canastas(laid.melds)
            yield Item(N_("red threes"), count, points if counts else -points, "S63")

    def going_out_items(self) -> Iterator[Item]:
        yield Item(N_("going out"), 1, constants.GOING_OUT, "S65")

    def hand_items(self, cards: tuple[Card, ...]) -> Iterator[Item]:
        return hand_items(cards, "S62", kept=(constants.RED_THREE, "S64"))
