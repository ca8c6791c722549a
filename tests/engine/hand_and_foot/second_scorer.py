"""A second scorer for Hand and Foot, written only from the text of the rules."""

from engine.moves import Move
from engine.position import Position
from tests.engine.second_scoring import SambaFamilyScorer, card_points, codes_in, is_wild


class NaiveHandAndFoot(SambaFamilyScorer):
    """A scorer that notes who has taken up their foot."""

    def __init__(self) -> None:
        super().__init__()
        self.in_foot: set[int] = set()

    def dealt(self, position: Position) -> int:
        del position
        return 11

    def taken(self, before: Position) -> int:
        whole = dict(before.options.pairs())["whole_pile"]
        return len(before.pile) if whole else min(7, len(before.pile))

    def bonus(self, position: Position) -> int:
        del position
        return 100

    def emptied(self, before: Position, move: Move) -> int:
        seat = before.turn.seat
        if seat in self.in_foot:
            return super().emptied(before, move)
        self.in_foot.add(seat)
        return 11

    def held_at_the_end(self, position: Position, seat: int) -> int:
        # A player who never used up the hand still has the foot: at the end its eleven cards count
        # as held.
        return super().held_at_the_end(position, seat) + (0 if seat in self.in_foot else 11)

    def complete(self, position: Position, side: int) -> bool:
        options = dict(position.options.pairs())
        books = [codes_in(meld) for meld in position.laid[side].melds if len(meld.cards) == 7]
        dirty = sum(any(map(is_wild, codes)) for codes in books)
        return len(books) - dirty >= options["clean_books"] and dirty >= options["dirty_books"]

    def table(self, position: Position, side: int) -> int:
        total = 0
        for meld in position.laid[side].melds:
            codes = codes_in(meld)
            total += sum(map(card_points, codes))
            if len(codes) == 7:
                total += 300 if any(map(is_wild, codes)) else 500
        threes = 100 * len(position.laid[side].bonus)
        return total + (threes if position.laid[side].melds else -threes)
