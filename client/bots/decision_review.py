"""The review of a decision that was made: what another move would have brought on average.

The review uses only what the player knew then: the cards that the player could not see are dealt at
random, as for a move of the level `patient`. Alternatives are compared with the move that was made,
so the gain of an alternative is the cost of that move.

A first search picks the best alternative. But the best of several measurements is on average too
high (the optimiser's curse; J. E. Smith, R. L. Winkler, 2006). So a second search measures the best
alternative alone, in fresh worlds.
"""

import random
from math import erfc, sqrt

from attrs import frozen

from client.bots.evaluator import Evaluator
from client.bots.evaluator_registry import evaluator_of
from client.bots.search import GainTally, Search, TriedMove, evaluated, others_than, regret
from client.bots.weights import Tuning
from engine.games import game_named
from engine.moves import LayMelds, Move, is_alike
from engine.position import Position

ALTERNATIVES = 5
"""Maximum number of alternatives to try."""

LAYING = 2
"""Maximum number of alternatives that lay cards; the others are mostly discards."""

PICKING = 2000
"""Number of moves to play in the search that picks the best alternative."""

WORLDS = 150
"""Usual number of worlds in which the best alternative is measured."""

MORE_WORLDS = 300
"""Maximum number of worlds, if the cost seems to be `COST` or more, but is not yet `SURE`."""

COST = 20.0
"""Points that a move must cost on average to be called a mistake."""

SURE = 0.95
"""Minimum estimated chance that a move costs anything at all, to call the move a mistake."""


@frozen
class Decision:
    """A move that was made, in the view of the player who made it."""

    game: str
    view: Position
    move: Move
    seed: str
    """Seed for dealing the worlds, so that the same decision always gets the same verdict."""
    effort: float = 1.0
    """Share of the usual number of moves and worlds; below 1 if very many decisions are judged."""


@frozen
class Verdict:
    """The best alternative to a move, and the cost of the move compared with it."""

    better: Move
    cost: float
    """Points that the move costs on average."""
    error: float
    """Standard error of the cost."""
    worlds: int
    """Number of worlds in which both moves were played."""

    @property
    def sure(self) -> float:
        """The chance that the move costs anything, if the cost is normally distributed."""
        return chance_above_zero(self.cost, self.error)

    @property
    def is_mistake(self) -> bool:
        """True if the move is called a mistake."""
        return self.cost >= COST and self.sure >= SURE


def chance_above_zero(mean: float, error: float) -> float:
    """Return the chance that a normally distributed value is above 0."""
    # erfc(x / √2) / 2 is the chance that a normal value lies more than x deviations above its mean.
    return 1 - erfc(mean / error / sqrt(2)) / 2


def verdict_on(decision: Decision) -> Verdict | None:
    """Return the verdict on a decision; None if no alternative seems better."""
    view, made = decision.view, decision.move
    evaluator = evaluator_of(game_named(decision.game), Tuning.LEARNT)
    rng = random.Random(decision.seed)
    others = alternatives(view, made, evaluator)
    if not others:
        return None
    yardstick = TriedMove(made, 0.0)
    picking = Search(view, evaluator, rng, (yardstick, *others))
    picking.run(lambda played: played < PICKING * decision.effort)
    best = max(others, key=lambda one: picking.tallies[one.move].believed(one)[0])
    if picking.tallies[best.move].believed(best)[0] <= 0:
        return None
    tally = _measured(view, evaluator, rng, (yardstick, best), decision.effort)
    cost, error = tally.believed(best)
    return Verdict(best.move, cost, error, tally.worlds)


def _measured(
    view: Position,
    evaluator: Evaluator,
    rng: random.Random,
    pair: tuple[TriedMove, TriedMove],
    effort: float,
) -> GainTally:
    """Return the gains of the second candidate over the first in fresh worlds."""
    total, usual = GainTally(), round(WORLDS * effort)
    while total.worlds < MORE_WORLDS * effort:
        search = Search(view, evaluator, rng, pair)
        # `not played` is true only before the first move. So each search ends after one world, and
        # the tests below come after every world.
        search.run(lambda played: not played)
        total.add(search.tallies[pair[1].move])
        cost, error = total.believed(pair[1])
        # A cost that is almost surely below COST needs only a third of the usual worlds.
        if total.worlds >= usual // 3 and cost + 2 * error < COST:
            break
        if total.worlds >= usual and (cost < COST or chance_above_zero(cost, error) >= SURE):
            break
    return total


def alternatives(view: Position, made: Move, evaluator: Evaluator) -> tuple[TriedMove, ...]:
    """Return the moves that may be better than the one that was made, the likeliest first.

    In games with partners, only moves that the evaluator prefers to the one made are returned,
    because there the evaluator chooses better than the search (`client.bots.search.candidates`).
    """
    worth = evaluated(view, evaluator)
    # The evaluator has no value for a blunder, nor for a move that the rules do not list. If such
    # a move was made, it counts as the worst one.
    same = [value for move, value in worth.items() if is_alike(move, made)]
    known = max(same, default=min(worth.values(), default=0.0))
    unevaluated = not same or not any(worth.values())
    found = others_than(made, worth, known, unevaluated=unevaluated)
    seat = view.moving_seat
    if view.partner_of(seat) is not None and not unevaluated:
        found = [one for one in found if one.prior > 0]
    # A prior of -20 means that the move made leads by 20 points.
    found.sort(key=lambda one: regret(-one.prior, one.doubt), reverse=True)
    layings = [one for one in found if isinstance(one.move, LayMelds)][:LAYING]
    rest = [one for one in found if not isinstance(one.move, LayMelds)]
    return (*layings, *rest[: ALTERNATIVES - len(layings)])
