"""Counting a round of Canasta (C66-C67a, C76, C91-C93, C97)."""

from collections.abc import Iterator
from functools import partial

from attrs import frozen

from engine.canasta import constants
from engine.canasta.state import CanastaState
from engine.canasta.vain_questions import vain_questions
from engine.cards import Card
from engine.like_melds.score import hand_items, meld_items
from engine.score_sheet import CLOSED_CARDS, Item
from engine.sentences import N_
from engine.slots import Shown, Side

LINES = (
    "clean canastas",
    "dirty canastas",
    "cards melded",
    "red threes",
    "going out",
    "going out at one stroke",
    "cards in hand",
    "red threes kept in hand",
    CLOSED_CARDS,
    "vain questions",
)
"""Items that can stand on a sheet, in the order of its lines."""


_MELDS = partial(
    meld_items,
    clean=(N_("clean canastas"), constants.CLEAN_CANASTA),
    dirty=(N_("dirty canastas"), constants.DIRTY_CANASTA),
    complete="C91",
    cards="C92",
)


@frozen(kw_only=True, slots=False)
class CanastaScore(CanastaState):
    """A round of Canasta, with the items that it counts."""

    sheet_lines = LINES

    def table_items(self, side: Side) -> Iterator[Item]:
        laid = self.laid[side]
        yield from _MELDS(laid.melds)
        if laid.bonus:
            yield red_threes(laid.bonus, opened=bool(laid.melds))

    def round_items(self, side: Side) -> Iterator[Item]:
        yield from super().round_items(side)
        yield from self._vain_items(side)

    def going_out_items(self) -> Iterator[Item]:
        if self.turn.fresh:
            yield Item(N_("going out at one stroke"), 1, constants.RELANCE, "C76")
        else:
            yield Item(N_("going out"), 1, constants.GOING_OUT, "C76")

    def hand_items(self, cards: tuple[Card, ...]) -> Iterator[Item]:
        kept = (constants.RED_THREE, "C67a")
        if self.options.penalties:
            kept = (constants.KEPT_RED_THREE_PENALTY, "C97")
        return hand_items(cards, "C92", kept=kept)

    def interrupted_items(self, side: Side) -> Iterator[Item]:
        yield from super().interrupted_items(side)
        # X25: if all players of a side are there, their questions do not count when the round is
        # interrupted.
        if not self.closed.isdisjoint(self.members(side)):
            yield from self._vain_items(side)

    def _vain_items(self, side: Side) -> Iterator[Item]:
        if vain := vain_questions(self, side):
            yield Item(N_("vain questions"), vain, -vain * constants.VAIN_QUESTION_PENALTY, "C97")


def red_threes(bonus: tuple[Shown, ...], *, opened: bool) -> Item:
    """Return the item for red threes: for a side that has melded (C66), else against it (C67)."""
    count = len(bonus)
    points = constants.ALL_RED_THREES if count == 4 else count * constants.RED_THREE
    return Item(N_("red threes"), count, points if opened else -points, "C66" if opened else "C67")
