"""Counting a round of Kanastic (K20, K98, K102-K110)."""

from collections.abc import Iterator

from attrs import evolve, frozen

from engine.cards import Card, Rank
from engine.kanastic import constants
from engine.kanastic.constants import is_natural, is_pot, is_shield, is_wild, points_of
from engine.kanastic.golden_suit_runs import is_complete_suit, is_royal
from engine.kanastic.melds import is_canasta, is_mixed
from engine.kanastic.state import KanasticState
from engine.melds import Meld
from engine.score_sheet import CLOSED_CARDS, Item, ScoreSheet
from engine.sentences import N_
from engine.slots import Side

LINES = (
    "royal golden suits",
    "mixed golden suits",
    "natural ace canastas",
    "mixed ace canastas",
    "natural canastas",
    "mixed canastas",
    "cards melded",
    "Treasure Pots",
    "going out",
    "cards in hand",
    "wild cards in hand",
    "Shields in hand",
    "Treasure Pots kept in hand",
    CLOSED_CARDS,
    "doubled by the last discard",
)
"""Items that can stand on a sheet, in the order of its lines."""


@frozen(kw_only=True, slots=False)
class KanasticScore(KanasticState):
    """A round of Kanastic, with the items that it counts."""

    sheet_lines = LINES

    def score(self) -> ScoreSheet:
        sheet = super().score()
        # K98: if a side goes out, and its last discard is a wild card, the round is doubled.
        # Going out always ends with a discard (K96), so the top of the pile is the last discard.
        if self.closer is None or not is_wild(self.pile[-1].card):
            return sheet
        # By default only the round is doubled: `_doubling` gets a total of 0 for each side.
        before = self.totals if self.options.double_totals else self.sides * (0,)
        sides = zip(sheet.sides, before, strict=True)
        doubled = tuple((*items, _doubling(items, total)) for items, total in sides)
        return evolve(sheet, sides=doubled)

    def table_items(self, side: Side) -> Iterator[Item]:
        laid = self.laid[side]
        yield from _formations(laid.melds)
        if melded := [shown.card for meld in laid.melds for shown in meld.cards]:
            yield Item(N_("cards melded"), len(melded), points_of(melded), "K102")
        if pots := len(laid.bonus):
            points = constants.ALL_POTS if pots == constants.POTS else pots * constants.POT
            yield Item(N_("Treasure Pots"), pots, points, "K20")

    def going_out_items(self) -> Iterator[Item]:
        yield Item(N_("going out"), 1, self.options.going_out_bonus, "K109")

    def hand_items(self, cards: tuple[Card, ...]) -> Iterator[Item]:
        if naturals := [card for card in cards if is_natural(card)]:
            yield Item(N_("cards in hand"), len(naturals), -points_of(naturals), "K102")
        if wilds := [card for card in cards if is_wild(card)]:
            yield Item(N_("wild cards in hand"), len(wilds), -points_of(wilds), "K110")
        if shields := sum(map(is_shield, cards)):
            yield Item(N_("Shields in hand"), shields, -shields * constants.SHIELD_IN_HAND, "K108")
        if kept := sum(map(is_pot, cards)):
            yield Item(N_("Treasure Pots kept in hand"), kept, 0, "K19a")


def _doubling(items: tuple[Item, ...], total: int) -> Item:
    """Return the item for a round that is doubled by its last discard (K98).

    The item adds the points of the round once more, and also `total`, up to a limit. Negative
    points are doubled, too.
    """
    again = max(-constants.DOUBLED_TOTAL, min(total, constants.DOUBLED_TOTAL))
    points = again + sum(item.points for item in items)
    return Item(N_("doubled by the last discard"), 1, points, "K98")


def _formations(melds: tuple[Meld, ...]) -> Iterator[Item]:
    canastas = [(meld.rank is Rank.ACE, is_mixed(meld)) for meld in melds if is_canasta(meld)]
    suits = [is_royal(meld) for meld in melds if is_complete_suit(meld)]
    for what, count, each, clause in (
        (N_("natural canastas"), canastas.count((False, False)), constants.NATURAL_CANASTA, "K103"),
        (N_("mixed canastas"), canastas.count((False, True)), constants.MIXED_CANASTA, "K103"),
        (
            N_("natural ace canastas"),
            canastas.count((True, False)),
            constants.NATURAL_ACE_CANASTA,
            "K103",
        ),
        (
            N_("mixed ace canastas"),
            canastas.count((True, True)),
            constants.MIXED_ACE_CANASTA,
            "K103",
        ),
        (N_("royal golden suits"), suits.count(True), constants.ROYAL_SUIT, "K104"),
        (N_("mixed golden suits"), suits.count(False), constants.MIXED_SUIT, "K104"),
    ):
        if count:
            yield Item(what, count, count * each, clause)
