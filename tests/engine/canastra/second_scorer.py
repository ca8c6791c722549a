"""A second scorer for Canastra, written only from the rules and the list of all runs."""

from collections.abc import Collection

from engine.moves import Discard, LayMelds, Move, shown_by
from engine.position import Position
from tests.engine.canastra.brute_force_runs import ALL_RUNS


def run_points(codes: list[str]) -> int:
    """Return the points of a run with these cards."""
    if len(codes) < 7:
        return 10 * len(codes)
    if ALL_RUNS[tuple(sorted(codes))]:
        return 10 * len(codes) + 200
    return 10 * len(codes) + (1000 if len(codes) == 14 else 300)


class NaiveCanastra:
    """A scorer that watches a game to note which player ended it."""

    def __init__(self) -> None:
        self.last_out: int | None = None  # the player whose last move used up their hand

    def watch(self, before: Position, move: Move) -> None:
        held = len(before.hands[before.turn.seat])
        goes_out = isinstance(move, Discard | LayMelds) and len(shown_by(move)) == held
        self.last_out = before.turn.seat if goes_out else None

    def totals(self, position: Position) -> tuple[int, ...]:
        # A player who used up their hand and has no cards now got no dead: they went out.
        out = self.last_out if self.last_out is not None else -1
        ended = out >= 0 and not position.hands[out]
        points = []
        for side in (0, 1):
            total = self._table(position, side)
            if ended:
                total += 100 if side == out else -10 * len(position.hands[side])
            points.append(total)
        return tuple(points)

    def interrupted(self, position: Position, missing: Collection[int]) -> tuple[int, ...]:
        return tuple(
            self._table(position, side) - (10 * len(position.hands[side]) if side in missing else 0)
            for side in (0, 1)
        )

    def _table(self, position: Position, side: int) -> int:
        return sum(
            run_points([shown.card.code for shown in meld.cards])
            for meld in position.laid[side].melds
        )
