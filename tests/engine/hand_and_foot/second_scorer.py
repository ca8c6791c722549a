"""A second scorer for Hand and Foot, written only from the text of the rules."""

from collections.abc import Collection

from engine.moves import Discard, DrawStock, LayMelds, Move, ShowBonus, TakePile, shown_by
from engine.position import Position
from tests.engine.second_scoring import closed_cost, codes_in, dear_cost


class NaiveHandAndFoot:
    """A scorer that keeps its own account of how many cards each player holds."""

    def __init__(self) -> None:
        self.held: dict[int, int] = {}
        self.in_foot: set[int] = set()
        self.out: int | None = None

    def watch(self, before: Position, move: Move) -> None:
        seat = before.turn.seat
        options = dict(before.options.pairs())
        held = self.held.get(seat, 11)
        match move:
            case DrawStock():
                held += min(options["draw"], len(before.stock))
            case TakePile():
                most = len(before.pile) if options["whole_pile"] else 7
                held += min(most, len(before.pile))
        if isinstance(move, ShowBonus):
            held += min(len(move.cards), len(before.stock))
        if isinstance(move, Discard | LayMelds | TakePile | ShowBonus):
            held -= len(shown_by(move))
        if held == 0 and seat not in self.in_foot:
            self.in_foot.add(seat)
            held = 11
        elif held == 0:
            # Without a stock the round also ends if the player may not go out (H18).
            may = not isinstance(move, ShowBonus | Discard) or (
                before.turn.answer is not False and self._books(before, seat)
            )
            self.out = seat if may else None
        self.held[seat] = held

    def totals(self, position: Position) -> tuple[int, ...]:
        sides = len(position.totals)
        points = [self._table(position, side) for side in range(sides)]
        for seat in range(position.seats):
            # At the end feet are turned up, so a hand that was never used up has eleven more cards.
            hand = position.hands[seat]
            wanted = self.held.get(seat, 11) + (0 if seat in self.in_foot else 11)
            assert len(hand) == wanted
            points[seat % sides] -= sum(dear_cost(position.known[slot].card.code) for slot in hand)
        assert position.closer == self.out
        if self.out is not None:
            points[self.out % sides] += 100
        return tuple(points)

    def interrupted(self, position: Position, missing: Collection[int]) -> tuple[int, ...]:
        sides = len(position.totals)
        return tuple(
            self._table(position, side)
            - closed_cost(position, [seat for seat in missing if seat % sides == side], dear_cost)
            for side in range(sides)
        )

    def _books(self, position: Position, seat: int) -> bool:
        options = dict(position.options.pairs())
        books = [codes_in(meld) for meld in position.laid[seat % len(position.totals)].melds]
        clean = [all(map(_is_natural, codes)) for codes in books if len(codes) == 7]
        needed = (options["clean_books"], options["dirty_books"])
        return (clean.count(True), clean.count(False)) >= needed and clean.count(False) >= needed[1]

    def _table(self, position: Position, side: int) -> int:
        total = 0
        for meld in position.laid[side].melds:
            codes = codes_in(meld)
            total += sum(map(dear_cost, codes))
            if len(codes) == 7:
                total += 500 if all(map(_is_natural, codes)) else 300
        threes = 100 * len(position.laid[side].bonus)
        return total + (threes if position.laid[side].melds else -threes)


def _is_natural(code: str) -> bool:
    return code != "Jo" and code[0] != "2"
