"""A second scorer for Samba, written only from the text of the rules."""

from engine.position import Position
from tests.engine.second_scoring import (
    RED_THREES,
    SambaFamilyScorer,
    card_points,
    codes_in,
    is_wild,
)


class NaiveSamba(SambaFamilyScorer):
    """A scorer of melds of like cards and sequences."""

    def dealt(self, position: Position) -> int:
        return 13 if position.seats == 6 else 15

    def taken(self, before: Position) -> int:
        return sum(shown.card.code not in RED_THREES for shown in before.pile)

    def bonus(self, position: Position) -> int:
        del position
        return 200

    def complete(self, position: Position, side: int) -> bool:
        complete = sum(len(meld.cards) >= 7 for meld in position.laid[side].melds)
        return complete >= int(dict(position.options.pairs())["canastas"])

    def table(self, position: Position, side: int) -> int:
        total = 0
        for meld in position.laid[side].melds:
            codes = codes_in(meld)
            total += sum(map(card_points, codes)) + (_bonus(codes) if len(codes) >= 7 else 0)
        threes = len(position.laid[side].bonus)
        worth = 1000 if threes == 6 else 100 * threes
        return total + (worth if self.complete(position, side) else -worth)


def _bonus(codes: list[str]) -> int:
    """Return the points of a complete meld."""
    if any(map(is_wild, codes)):
        return 300
    return 500 if len({code[0] for code in codes}) == 1 else 1500
