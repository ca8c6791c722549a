"""The common part of the second scorers of all games, written only from the text of the rules."""

from abc import ABC, abstractmethod
from collections.abc import Collection

from engine.melds import Meld
from engine.moves import Discard, DrawStock, LayMelds, Move, ShowBonus, TakePile, shown_by
from engine.position import Position

POINTS = {"Jo": 50, "2": 20, "A": 20} | dict.fromkeys("KQJT98", 10) | dict.fromkeys("76543", 5)
RED_THREES = ("3h", "3d")


def card_points(code: str) -> int:
    """Return the points of a card in a game with jokers and wild twos."""
    return POINTS["Jo" if code == "Jo" else code[0]]


def is_wild(code: str) -> bool:
    return code == "Jo" or code[0] == "2"


def codes_in(meld: Meld) -> list[str]:
    return [shown.card.code for shown in meld.cards]


class NaiveScorer(ABC):
    """A scorer that counts a round a second time, from the table and the moves that led to it."""

    def watch(self, before: Position, move: Move) -> None:
        """Note that `move` is made in `before`; most games have nothing to note."""
        del before, move

    @abstractmethod
    def table(self, position: Position, side: int) -> int:
        """Return the points of the cards that a side has on the table."""

    @abstractmethod
    def cost(self, position: Position, code: str) -> int:
        """Return the points that a card costs in a hand."""

    @abstractmethod
    def bonus(self, position: Position) -> int:
        """Return the points for going out."""

    def totals(self, position: Position) -> tuple[int, ...]:
        """Return the points by side of a round that is over, with all hands open."""
        points = [self.table(position, side) for side in range(len(position.totals))]
        for seat, hand in enumerate(position.hands):
            codes = (position.known[slot].card.code for slot in hand)
            points[seat % len(points)] -= sum(self.cost(position, code) for code in codes)
        if position.closer is not None:
            points[position.closer % len(points)] += self.bonus(position)
        return tuple(points)

    def interrupted(self, position: Position, missing: Collection[int]) -> tuple[int, ...]:
        """Return the points by side of a round that is interrupted because seats are `missing`."""
        sides = len(position.totals)
        gone = ([seat for seat in missing if seat % sides == side] for side in range(sides))
        return tuple(
            self.table(position, side) - self.closed(position, seats)
            for side, seats in enumerate(gone)
        )

    def closed(self, position: Position, seats: list[int]) -> int:
        """Return the maximum cost of the hands of these seats, judged by the public cards."""
        seen = {shown.card.number for shown in position.face_up()}
        shown = [[slot for slot in hand if slot in position.known] for hand in position.hands]
        seen |= {position.known[slot].card.number for slots in shown for slot in slots}
        unseen = (card.code for card in position.deck if card.number not in seen)
        left = sorted(self.cost(position, code) for code in unseen)
        total = 0
        for seat in seats:  # each hand is counted as if it had the costliest unseen cards
            codes = (position.known[slot].card.code for slot in shown[seat])
            hidden = len(position.hands[seat]) - len(shown[seat])
            total += sum(self.cost(position, code) for code in codes)
            total += sum(left[len(left) - hidden :])
        return total


class SambaFamilyScorer(NaiveScorer):
    """A scorer that keeps its own account of how many cards each player holds.

    A red three costs 100 in the hand.
    """

    def __init__(self) -> None:
        self.held: dict[int, int] = {}
        self.out: int | None = None

    @abstractmethod
    def dealt(self, position: Position) -> int:
        """Return the number of cards that are dealt to a player."""

    @abstractmethod
    def taken(self, before: Position) -> int:
        """Return the number of cards that taking the pile brings."""

    @abstractmethod
    def complete(self, position: Position, side: int) -> bool:
        """Return True if a side has the melds that it needs to go out."""

    def cost(self, position: Position, code: str) -> int:
        del position
        return 100 if code in RED_THREES else card_points(code)

    def watch(self, before: Position, move: Move) -> None:
        seat = before.turn.seat
        held = self.held.get(seat, self.dealt(before))
        match move:
            case DrawStock():
                held += min(dict(before.options.pairs())["draw"], len(before.stock))
            case TakePile():
                held += self.taken(before)
            case ShowBonus():
                held += min(len(move.cards), len(before.stock))
        if isinstance(move, Discard | LayMelds | TakePile | ShowBonus):
            held -= len(shown_by(move))
        if held == 0:
            held = self.emptied(before, move)
        self.held[seat] = held

    def emptied(self, before: Position, move: Move) -> int:
        """Note that a move has used up the mover's hand, and return the size of the new hand."""
        # With an empty stock a player who may not go out can still discard their last card: the
        # round ends, but nobody has gone out (S16, H18).
        seat = before.turn.seat
        complete = self.complete(before, seat % len(before.totals))
        may = before.turn.answer is not False and complete
        self.out = seat if may or isinstance(move, LayMelds | TakePile) else None
        return 0

    def totals(self, position: Position) -> tuple[int, ...]:
        for seat, hand in enumerate(position.hands):
            assert len(hand) == self.held_at_the_end(position, seat)
        assert position.closer == self.out
        return super().totals(position)

    def held_at_the_end(self, position: Position, seat: int) -> int:
        return self.held.get(seat, self.dealt(position))
