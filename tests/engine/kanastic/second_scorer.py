"""A second scorer for Kanastic, written only from the tables of the rules."""

from collections import Counter
from collections.abc import Collection

from engine.cards import Card, Rank
from engine.moves import Move
from engine.position import Position
from tests.engine.second_scoring import closed_cost

_VALUES = dict(zip("456789TJQKA", 5 * [5] + 5 * [10] + [20], strict=True)) | {"Ar": 50, "Sw": 25}


def _value(card: Card) -> int:
    return _VALUES[card.rank.code]


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


def _cost(code: str) -> int:
    return {"Sh": 100, "Po": 0, **_VALUES}[code if code in ("Sh", "Po", "Ar", "Sw") else code[0]]


class NaiveKanastic:
    """A scorer that needs only the table: it does not watch the moves."""

    def watch(self, before: Position, move: Move) -> None:
        pass

    def totals(self, position: Position) -> tuple[int, ...]:
        totals = [self._points(position, side) for side in range(len(position.laid))]
        if position.closer is not None and position.pile[-1].card.code in ("Sw", "Ar"):
            doubled = dict(position.options.pairs())["double_totals"]
            before = position.totals if doubled else len(totals) * (0,)
            # No more than a million points of a total are doubled (K98).
            again = [old if abs(old) < 10**6 else 10**6 * (-1) ** (old < 0) for old in before]
            return tuple(2 * points + old for points, old in zip(totals, again, strict=True))
        return tuple(totals)

    def interrupted(self, position: Position, missing: Collection[int]) -> tuple[int, ...]:
        sides = len(position.laid)
        gone = [[seat for seat in missing if seat % sides == side] for side in range(sides)]
        return tuple(
            self._table(position, side) - closed_cost(position, seats, _cost)
            for side, seats in enumerate(gone)
        )

    def _points(self, position: Position, side: int) -> int:
        points = self._table(position, side)
        for seat in range(side, position.seats, len(position.laid)):
            points -= sum(_cost(position.known[slot].card.code) for slot in position.hands[seat])
            if position.closer == seat:
                points += dict(position.options.pairs())["going_out_bonus"]
        return points

    def _table(self, position: Position, side: int) -> int:
        laid, points = position.laid[side], 0
        for meld in laid.melds:
            cards = [shown.card for shown in meld.cards]
            points += _bonus(cards) + sum(map(_value, cards))
        return points + [0, 100, 200, 300, 1200][len(laid.bonus)]
