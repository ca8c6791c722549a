"""A second scorer for Samba, written only from the text of the rules."""

from collections.abc import Collection

from engine.moves import Discard, DrawStock, LayMelds, Move, ShowBonus, TakePile, shown_by
from engine.position import Position
from tests.engine.second_scoring import RED_THREES, closed_cost, codes_in, dear_cost


class NaiveSamba:
    """A scorer that keeps its own account of how many cards each player holds."""

    def __init__(self) -> None:
        self.held: dict[int, int] = {}
        self.out: int | None = None

    def watch(self, before: Position, move: Move) -> None:
        seat = before.turn.seat
        held = self.held.get(seat, 13 if before.seats == 6 else 15)
        match move:
            case DrawStock():
                held += min(dict(before.options.pairs())["draw"], len(before.stock))
            case TakePile():
                held += sum(shown.card.code not in RED_THREES for shown in before.pile)
            case ShowBonus():
                held += min(len(move.cards), len(before.stock))
        if isinstance(move, Discard | LayMelds | TakePile | ShowBonus):
            held -= len(shown_by(move))
        if held == 0:
            # With an empty stock a player who may not go out can still discard their last card:
            # the round ends, but nobody has gone out (S16).
            goes_out = before.turn.answer is not False and self._may_go_out(before, seat)
            self.out = seat if goes_out or isinstance(move, LayMelds | TakePile) else None
        self.held[seat] = held

    def totals(self, position: Position) -> tuple[int, ...]:
        sides = len(position.totals)
        points = [self._table(position, side) for side in range(sides)]
        for seat in range(position.seats):
            hand = position.hands[seat]
            assert len(hand) == self.held.get(seat, 13 if position.seats == 6 else 15)
            points[seat % sides] -= sum(dear_cost(_code(position, slot)) for slot in hand)
        assert position.closer == self.out
        if self.out is not None:
            points[self.out % sides] += 200
        return tuple(points)

    def interrupted(self, position: Position, missing: Collection[int]) -> tuple[int, ...]:
        sides = len(position.totals)
        return tuple(
            self._table(position, side)
            - closed_cost(position, [seat for seat in missing if seat % sides == side], dear_cost)
            for side in range(sides)
        )

    def _may_go_out(self, position: Position, seat: int) -> bool:
        return self._complete(position, seat % len(position.totals))

    def _complete(self, position: Position, side: int) -> bool:
        complete = sum(len(meld.cards) >= 7 for meld in position.laid[side].melds)
        return complete >= int(dict(position.options.pairs())["canastas"])

    def _table(self, position: Position, side: int) -> int:
        total = 0
        for meld in position.laid[side].melds:
            codes = codes_in(meld)
            total += sum(map(dear_cost, codes)) + (_bonus(codes) if len(codes) >= 7 else 0)
        threes = len(position.laid[side].bonus)
        worth = 1000 if threes == 6 else 100 * threes
        return total + (worth if self._complete(position, side) else -worth)


def _bonus(codes: list[str]) -> int:
    """Return the points of a complete meld."""
    if any(code == "Jo" or code[0] == "2" for code in codes):
        return 300
    return 500 if len({code[0] for code in codes}) == 1 else 1500


def _code(position: Position, slot: int) -> str:
    return next(shown.card.code for key, shown in position.known.items() if key == slot)
