"""A second scorer for Canastra, written only from the rules and the list of all runs."""

from engine.moves import Discard, LayMelds, Move, shown_by
from engine.position import Position
from tests.engine.canastra.brute_force_runs import ALL_RUNS
from tests.engine.second_scoring import NaiveScorer, codes_in


def run_points(codes: list[str]) -> int:
    """Return the points of a run with these cards."""
    if len(codes) < 7:
        return 10 * len(codes)
    if ALL_RUNS[tuple(sorted(codes))]:
        return 10 * len(codes) + 200
    return 10 * len(codes) + (1000 if len(codes) == 14 else 300)


class NaiveCanastra(NaiveScorer):
    """A scorer that watches a game to note which player ended it."""

    def __init__(self) -> None:
        self.last_out: int | None = None  # the player whose last move used up their hand

    def watch(self, before: Position, move: Move) -> None:
        held = len(before.hands[before.turn.seat])
        goes_out = isinstance(move, Discard | LayMelds) and len(shown_by(move)) == held
        self.last_out = before.turn.seat if goes_out else None

    def table(self, position: Position, side: int) -> int:
        return sum(run_points(codes_in(meld)) for meld in position.laid[side].melds)

    def cost(self, position: Position, code: str) -> int:
        del position, code
        return 10

    def bonus(self, position: Position) -> int:
        del position
        return 100

    def totals(self, position: Position) -> tuple[int, ...]:
        # If a player used up their hand and still has no cards, they did not receive a dead (a
        # second hand), so they went out.
        out = self.last_out
        if out is None or position.hands[out]:
            assert position.closer is None
            return tuple(self.table(position, side) for side in (0, 1))
        assert position.closer == out
        return super().totals(position)
