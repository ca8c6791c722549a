"""A second scorer for Kanastic, written only from the tables of the rules."""

from collections import Counter

from engine.cards import Card, Rank
from engine.position import Position
from tests.engine.second_scoring import NaiveScorer

_VALUES = dict(zip("456789TJQKA", 5 * [5] + 5 * [10] + [20], strict=True)) | {"Ar": 50, "Sw": 25}
_COSTS = {**_VALUES, "Sh": 100, "Po": 0}


class NaiveKanastic(NaiveScorer):
    """A scorer that counts only the cards on the table and in the hands: it watches no moves."""

    def table(self, position: Position, side: int) -> int:
        laid, points = position.laid[side], 0
        for meld in laid.melds:
            cards = [shown.card for shown in meld.cards]
            points += _bonus(cards) + sum(_VALUES[card.rank.code] for card in cards)
        return points + [0, 100, 200, 300, 1200][len(laid.bonus)]

    def cost(self, position: Position, code: str) -> int:
        del position
        return _COSTS[code if code in _COSTS else code[0]]

    def bonus(self, position: Position) -> int:
        return int(dict(position.options.pairs())["going_out_bonus"])

    def totals(self, position: Position) -> tuple[int, ...]:
        totals = super().totals(position)
        if position.closer is None or position.pile[-1].card.code not in ("Sw", "Ar"):
            return totals
        doubled = dict(position.options.pairs())["double_totals"]
        before = position.totals if doubled else len(totals) * (0,)
        # No more than a million points of a total are doubled (K98).
        again = [max(-(10**6), min(10**6, old)) for old in before]
        return tuple(2 * points + old for points, old in zip(totals, again, strict=True))


def _bonus(cards: list[Card]) -> int:
    """Return the points of a formation besides the points of its cards."""
    if len(cards) < 7:
        return 0
    naturals = Counter(card.rank for card in cards if card.suit is not None)
    pure = naturals.total() == len(cards)
    if len(naturals) > 1:
        return 5000 if pure else 2500
    if Rank.ACE in naturals:
        return 1000 if pure else 500
    return 600 if pure else 300
