"""Counting a round of Canasta (C66-C67a, C76, C91-C93, C97)."""

from collections.abc import Iterator
from functools import partial

from engine.canasta import values
from engine.canasta.questions import vain_questions
from engine.canasta.state import CanastaState
from engine.like_melds.score import meld_items
from engine.melds import Laid
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
"""Items that can stand on a sheet, the first line first."""


_MELDS = partial(
    meld_items,
    clean=(N_("clean canastas"), values.CLEAN_CANASTA),
    dirty=(N_("dirty canastas"), values.DIRTY_CANASTA),
    complete="C91",
    cards="C92",
)


def table_items(laid: Laid) -> Iterator[Item]:
    """Return the items for the cards before a side (C66, C67, C91, C92)."""
    yield from _MELDS(laid.melds)
    if laid.bonus:
        yield red_threes(laid.bonus, opened=bool(laid.melds))


def going_out_item(position: CanastaState) -> Item:
    """Return the item for going out, at one stroke or not (C76)."""
    if position.turn.fresh:
        return Item(N_("going out at one stroke"), 1, values.RELANCE, "C76")
    return Item(N_("going out"), 1, values.GOING_OUT, "C76")


def vain_items(position: CanastaState, side: Side) -> Iterator[Item]:
    """Return the item for the vain questions of a side (C97, C97a)."""
    if vain := vain_questions(position, side):
        yield Item(N_("vain questions"), vain, -vain * values.VAIN_QUESTION_PENALTY, "C97")


def red_threes(bonus: tuple[Shown, ...], *, opened: bool) -> Item:
    """Return the item for red threes on the table, of a side that has melded or not (C66, C67)."""
    count = len(bonus)
    points = values.ALL_RED_THREES if count == 4 else count * values.RED_THREE
    return Item(N_("red threes"), count, points if opened else -points, "C66" if opened else "C67")
