"""The registry of evaluators: each file in `client/bots/games` has one.

Any other game gets an evaluator that uses only facts that the positions of all games can tell.
"""

import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import client.bots.games as files
from client.bots.evaluator import Evaluator
from client.bots.weights import Tuning, Weights
from engine.cards import Card
from engine.game import Game
from engine.position import Position
from engine.slots import Seat

_PAIR = 10  # value of each further card of a rank in hand


def evaluator_of(game: Game, tuning: Tuning) -> Evaluator:
    """Return the evaluator of `game` with the weights of this tuning."""
    return _evaluator(game.name, tuning)


@cache
def _evaluator(name: str, tuning: Tuning) -> Evaluator:
    # A game without a file is, for example, one that is being written (CONTRIBUTING.md).
    if name not in {module.name for module in iter_modules(files.__path__)}:
        return AnyGameEvaluator(tuning)
    return evaluator_with(name, weights_of(name)[tuning])


@cache
def weights_of(name: str) -> Mapping[Tuning, Weights]:
    """Return the weights in the file of a game."""
    tables = tomllib.loads(Path(files.__path__[0], f"{name}.toml").read_text("utf-8"))
    tables.setdefault(Tuning.LEARNT.value, tables.get(Tuning.BY_TRIAL.value, {}))
    kind: type[Weights] = import_module(f"{files.__name__}.{name}").WEIGHTS
    return {tuning: kind(**tables.get(tuning.value, {})) for tuning in Tuning}


def evaluator_with(name: str, weights: Weights) -> Evaluator:
    """Return the evaluator in the file of a game, with the given weights."""
    evaluator: Evaluator = import_module(f"{files.__name__}.{name}").EVALUATOR(weights)
    return evaluator


class AnyGameEvaluator(Evaluator):
    """An evaluator for any game: it counts table points, pairs in hand, and offers of the pile."""

    def __init__(self, tuning: Tuning) -> None:
        super().__init__(Weights(counts=tuning is not Tuning.BY_HAND))

    def standing_with(self, view: Position, seat: Seat, hand: Sequence[Card]) -> float:
        held = Counter(card.rank for card in hand)
        promise = _PAIR * sum(count - 1 for count in held.values())
        return view.table_points(view.side_of(seat)) + promise - self.cost(view, hand)

    def danger(self, view: Position, seat: Seat, card: Card) -> float:
        shown = next(shown for shown in view.hand(seat) if shown.card == card)
        offer = view.pile_offer(shown)
        if offer is None:
            return 0.0
        return offer.points if offer.certain else offer.points * self.uncounted
