"""Command that learns the weights of an evaluator by playing: `python -m tests.learn_weights GAME`.

It is an evolution strategy (T. Salimans and others, "Evolution strategies as a scalable alternative
to reinforcement learning", 2017). A random change is added to the logarithms of all weights, and
subtracted from them. The two resulting sets of weights play one round against each other, and the
same deal again with the sides exchanged. After 120 such changes the weights move along the mean of
the changes, each multiplied by the points that it has won. So a change that has lost points counts
in the opposite direction.

As the logarithms change, each weight is multiplied, and none changes its sign. The result is the
mean of the weights in the second half of the time. It is printed as the table `learnt` for the
game's file in `client/bots/games`.
"""

import argparse
import random
import time
from collections.abc import Mapping, Sequence
from math import exp, tanh
from typing import Any

from attrs import asdict, evolve

from client.bots import one_move_ahead
from client.bots.evaluator import Evaluator
from client.bots.evaluator_registry import evaluator_with, weights_of
from client.bots.weights import Tuning, Weights
from engine.game import Game
from engine.games import GAMES, game_named
from engine.options import Options
from engine.plain_dealer import PlainDealer
from engine.slots import Seat

CHANGE = 0.3
"""Standard deviation of the random change of a weight's logarithm."""

PAIRS = 120
"""Number of random changes for each step, each with a deal that is played twice."""

RATE = 0.6
"""Factor by which the logarithms follow the direction that `step` finds."""

MUCH = 1500.0
"""Points above which a higher win counts little more, so that extreme rounds do not decide."""

KEPT = 0.7  # share of the last direction in the next one
_MOST = 2.0  # maximum total change of a logarithm
_FIXED = frozenset({"counts", "uncounted", "ask_from"})
_TOTALS = (0, 0.1, 0.2, 0.35, 0.5, 0.7)
"""Match points of a side before a round, as shares of the target: all stages of a match occur."""

_NO_TARGET = 5000  # target assumed in a game that ends after a number of rounds

Place = tuple[str, int | None]
"""Name of a weight, and its index if it is one of a sequence."""


def places(weights: Weights) -> dict[Place, float]:
    """Return the weights to learn; a weight of zero stays zero."""
    found: dict[Place, float] = {}
    for name, value in asdict(weights).items():
        if name in _FIXED:
            continue
        if isinstance(value, tuple | list):
            found |= {(name, place): one for place, one in enumerate(value) if one}
        elif value:
            found[name, None] = value
    return found


def changed(weights: Weights, logs: Mapping[Place, float]) -> Weights:
    """Return the weights, each multiplied by the exponential of its number in `logs`."""
    values: dict[str, Any] = asdict(weights)
    for (name, place), start in places(weights).items():
        value = start * exp(logs[name, place])
        if place is None:
            values[name] = value
        else:
            values[name] = tuple(
                value if at == place else one for at, one in enumerate(values[name])
            )
    return evolve(weights, **values)


def totals_before(options: Options, sides: int, rng: random.Random) -> tuple[int, ...]:
    """Return random match points of the sides before a round."""
    target = options.match_target or _NO_TARGET
    return tuple(round(target * rng.choice(_TOTALS)) for _ in range(sides))


def round_won_by(game: Game, players: int, seed: int, evaluators: Sequence[Evaluator]) -> int:
    """Play a round, and return the first side's points minus the second side's.

    All players look one move ahead, each with the evaluator of their side.
    """
    rng = random.Random(seed)
    dealer = PlainDealer(rng.shuffle)
    options = game.options()
    totals = totals_before(options, game.sides(players), rng)
    position = game.position.start(options, players, Seat(seed % players), totals)
    position = dealer.fulfil(position)
    while (seat := position.to_move) is not None:
        view = dealer.view(position, seat)
        move = one_move_ahead.choose(view, evaluators[position.side_of(seat)], rng)
        position = dealer.fulfil(position.play(move))
    assert position.sheet is not None
    return position.sheet.totals[0] - position.sheet.totals[1]


def step(
    name: str, players: int, weights: Weights, logs: Mapping[Place, float], rng: random.Random
) -> dict[Place, float]:
    """Return a change of the weights' logarithms that wins points: the more, the longer it is."""
    game = game_named(name)
    found = dict.fromkeys(logs, 0.0)
    for _ in range(PAIRS):
        noise = {place: rng.gauss(0, 1) for place in logs}
        up, down = (
            evaluator_with(
                name, changed(weights, {p: log + sign * noise[p] for p, log in logs.items()})
            )
            for sign in (CHANGE, -CHANGE)
        )
        seed = rng.getrandbits(32)
        won = tanh(round_won_by(game, players, seed, (up, down)) / MUCH)
        won -= tanh(round_won_by(game, players, seed, (down, up)) / MUCH)
        # The slope along the noise: the mean of two rounds, over a distance of 2 CHANGE.
        for place in found:
            found[place] += won / 2 * noise[place] / (2 * CHANGE * PAIRS)
    return found


def learnt(name: str, players: Sequence[int], seconds: float, seed: int) -> Weights:
    """Return the weights after `seconds` of learning, which begins with the present weights."""
    rng = random.Random(seed)
    weights = weights_of(name)[Tuning.LEARNT]
    logs = dict.fromkeys(places(weights), 0.0)
    direction = dict(logs)
    late: list[dict[Place, float]] = []
    start = time.monotonic()
    steps = 0
    while (passed := time.monotonic() - start) < seconds or not late:
        found = step(name, players[steps % len(players)], weights, logs, rng)
        for place in logs:
            direction[place] = KEPT * direction[place] + (1 - KEPT) * found[place]
            logs[place] = max(-_MOST, min(_MOST, logs[place] + RATE * direction[place]))
        steps += 1
        if passed >= seconds / 2:
            late.append(dict(logs))
    mean = {place: sum(one[place] for one in late) / len(late) for place in logs}
    return changed(weights, mean)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=tuple(GAMES))
    parser.add_argument("--players", type=int, nargs="+", default=None)
    parser.add_argument("--seconds", type=float, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    players = args.players or [game_named(args.game).usual_players]
    for name, value in asdict(learnt(args.game, players, args.seconds, args.seed)).items():
        print(f"{name} = {list(value) if isinstance(value, tuple) else str(value).lower()}")


if __name__ == "__main__":
    main()
