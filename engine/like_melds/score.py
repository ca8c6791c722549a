"""Counting melds of like cards."""

from collections.abc import Iterator

from engine.cards import Card
from engine.like_melds.cards import is_red_three, points_of
from engine.like_melds.melds import is_clean, is_complete
from engine.melds import Meld
from engine.score_sheet import Item
from engine.sentences import N_, Marked


def meld_items(
    melds: tuple[Meld, ...],
    *,
    clean: tuple[Marked, int],
    dirty: tuple[Marked, int],
    complete: str,
    cards: str,
) -> Iterator[Item]:
    """Return the score items for a side's melds: complete melds, and the points of all cards.

    `clean` and `dirty` are the names and the points of complete melds. `complete` is the clause for
    complete melds, `cards` the clause for the points of cards.
    """
    found = [is_clean(meld) for meld in melds if is_complete(meld)]
    for (what, points), count in ((clean, sum(found)), (dirty, found.count(False))):
        if count:
            yield Item(what, count, count * points, complete)
    if melded := tuple([shown.card for meld in melds for shown in meld.cards]):
        yield Item(N_("cards melded"), len(melded), points_of(melded), cards)


def hand_items(cards: tuple[Card, ...], clause: str, *, kept: tuple[int, str]) -> Iterator[Item]:
    """Return the score items for the cards left in a hand, which cost points.

    `clause` is the clause for the cards' points; `kept` is the cost of each red three, and the
    clause for it.
    """
    cost = tuple([card for card in cards if not is_red_three(card)])
    if cost:
        yield Item(N_("cards in hand"), len(cost), -points_of(cost), clause)
    if threes := len(cards) - len(cost):
        each, why = kept
        yield Item(N_("red threes kept in hand"), threes, -threes * each, why)
