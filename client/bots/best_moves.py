"""The legal moves of a position, in the order in which the level `patient` prefers them.

The level plays the first move. A hint suggests the same move, and also names the second.
"""

import random

from attrs import frozen

from client.bots import one_move_ahead
from client.bots.chooser import Budget
from client.bots.evaluator_registry import evaluator_of
from client.bots.search import GainTally, Search, TriedMove, candidates, evaluated, surest
from client.bots.weights import Tuning
from engine.game import Game
from engine.moves import Move
from engine.position import Position

_ENDINGS = 4  # the budget's moves are multiplied by this if every world is played to the end


@frozen
class Considered:
    """Candidates with what the search has found about them."""

    candidates: tuple[TriedMove, ...]
    """The moves that were tried, the yardstick (`client.bots.search`) first."""
    tallies: dict[Move, GainTally]

    @property
    def best(self) -> Move:
        return surest(self.candidates, self.tallies)

    def gain(self, candidate: TriedMove) -> float:
        """Return the expected gain of a candidate over the yardstick, in points."""
        if candidate == self.candidates[0]:
            return 0.0
        return self.tallies.get(candidate.move, GainTally()).believed(candidate)[0]


@frozen
class BestMoves:
    """Legal moves for the seat to move, the best first."""

    moves: tuple[Move, ...]
    worlds: int = 0
    """Number of worlds in which the first two moves were compared; 0 if nothing was searched."""
    gain: float = 0.0
    """Points by which the first move is expected to be better than the second."""


def considered(view: Position, game: Game, rng: random.Random, budget: Budget) -> Considered:
    """Search within the budget, and return the candidates with the results."""
    evaluator = evaluator_of(game, Tuning.LEARNT)
    tried = candidates(view, evaluator, one_move_ahead.choose(view, evaluator, rng))
    if len(tried) < 2:
        return Considered(tried, {})
    if budget.seconds is None:
        search = Search(view, evaluator, rng, tried)
        most = budget.moves * (_ENDINGS if search.to_the_end else 1)

        def goes_on(played: int) -> bool:
            budget.check()
            return played < most

        search.run(goes_on)
        return Considered(tried, search.tallies)
    from client.bots.search_processes import ALL_CORES, Task  # noqa: PLC0415 - rarely needed

    task = Task(game.name, view, tried, budget.seconds, f"{rng.random()}")
    return Considered(tried, ALL_CORES.search(task, budget.check))


def best_moves(view: Position, game: Game, rng: random.Random, budget: Budget) -> BestMoves:
    """Return the moves of a position, the best first, after a search within the budget.

    The candidates of the search come first, in the order of their expected gains. All other moves
    follow, in the order of the evaluator's values.
    """
    found = considered(view, game, rng, budget)
    evaluator = evaluator_of(game, Tuning.LEARNT)
    best = found.best
    gains = {one.move: found.gain(one) for one in found.candidates if one.move != best}
    tried = sorted(gains, key=gains.__getitem__, reverse=True)
    worth = evaluated(view, evaluator)
    others = sorted(worth.keys() - {best, *tried}, key=lambda move: (-worth[move], repr(move)))
    if not tried:
        return BestMoves((best, *others))
    second = tried[0]
    # The yardstick has no tally, but at most one of the two moves is the yardstick.
    worlds = max(found.tallies[move].worlds for move in (best, second) if move in found.tallies)
    own = next(one for one in found.candidates if one.move == best)
    return BestMoves((best, *tried, *others), worlds, found.gain(own) - gains[second])
