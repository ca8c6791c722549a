"""Canasta counted a second time, plainly and from the rules' tables alone."""

from engine.moves import Answer, Move
from engine.position import Position
from engine.turn import Step

POINTS = {"Jo": 50, "2": 20, "A": 20} | dict.fromkeys("KQJT98", 10) | dict.fromkeys("76543", 5)


def points(code: str) -> int:
    return POINTS["Jo" if code == "Jo" else code[0]]


class NaiveCanasta:
    """Watches a hand, for what the table does not show at its end."""

    def __init__(self) -> None:
        self.had_melds = False  # the side of the mover, when his turn began
        self.questioner: int | None = None  # who was told Yes in this turn
        self.vain: list[int] = []

    def watch(self, before: Position, move: Move) -> None:
        if before.turn.step is Step.DRAW:
            if self.questioner is not None:
                self.vain.append(self.questioner)
            self.questioner = None
            self.had_melds = len(before.laid[before.turn.seat % before.sides].melds) > 0
        if move == Answer(True):
            self.questioner = before.turn.seat

    def totals(self, position: Position) -> tuple[int, ...]:
        sides = len(position.totals)
        return tuple(self._side(position, side) for side in range(sides))

    def _side(self, position: Position, side: int) -> int:
        options = dict(position.options.pairs())
        total = 0
        for meld in position.laid[side].melds:
            codes = [shown.card.code for shown in meld.cards]
            total += sum(points(code) for code in codes)
            if len(codes) >= 7:
                total += 300 if any(code == "Jo" or code[0] == "2" for code in codes) else 500
        threes = {0: 0, 1: 100, 2: 200, 3: 300, 4: 800}[len(position.laid[side].bonus)]
        total += threes if position.laid[side].melds else -threes
        for seat in range(side, position.seats, len(position.totals)):
            for slot in position.hands[seat]:
                code = position.known[slot].code
                if code in ("3h", "3d"):
                    total -= 500 if options["penalties"] else 100
                else:
                    total -= points(code)
        if position.closer is not None and position.closer % len(position.totals) == side:
            total += 100 if self.had_melds else 200
        if options["penalties"]:
            vain = [*self.vain]
            if self.questioner is not None and self.questioner != position.closer:
                vain.append(self.questioner)
            total -= 100 * sum(seat % len(position.totals) == side for seat in vain)
        return total
