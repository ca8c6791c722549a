"""`python -m tests.bench opponents`: how often one level beats another, and the time of its moves.

Whole matches are played with the plain dealer, without cryptography. One side plays at the first
level, all others at the second. Each deal is played as many times as there are sides, with the
first level on each side once. In a draw nobody wins. If both levels were equal, the first would win
its fair share of the matches: one divided by the number of sides.

For each level three rates of blunders are given, with 95 % intervals: turns that ended stranded on
one card, wild cards discarded on a frozen pile, and hasty answers of yes. The search of a
level is limited by a number of moves and not by time, so the same seed plays the same matches.
Times are processor time.
"""

import argparse
import json
from collections.abc import Mapping, Sequence
from itertools import chain
from math import sqrt
from statistics import mean
from typing import Any

from attrs import asdict, frozen

from client.bots.chooser import Budget
from client.bots.levels import LEVELS
from client.child_processes import on_all_cores
from engine.game import Game
from engine.games import GAMES, game_named
from tests.bench.figures import rounded, whole
from tests.bench.level_match import AT_RANDOM, Blunders, PlannedMatch, Played, play

MEASURED = (AT_RANDOM, *LEVELS)
"""The random player, and after it the levels, the weakest first."""

_Z = 1.96  # 95 % of a normal distribution is within so many standard deviations of its mean


@frozen
class OpponentsBench:
    """Results of one pairing."""

    game: str
    players: int
    levels: tuple[str, str]
    imagined: int
    """Number of moves that a searching level may play in its search for one choice."""
    matches: int
    won: int
    """Matches that the first level won."""
    drawn: int
    low: float
    """Lower end of the 95 % interval of `share`; `high` is the upper end."""
    high: float
    rounds_a_match: float
    points_a_round: tuple[float, float]
    mean_ms: tuple[float, float]
    """Mean time of a move in milliseconds, for the first and the second level."""
    worst_ms: tuple[float, float]
    blunders: tuple[Blunders, Blunders]

    @property
    def share(self) -> float:
        """Share of matches that the first level won."""
        return self.won / self.matches

    @property
    def fair(self) -> float:
        """Share of matches that equal levels would win if there were no draws."""
        return 1 / game_named(self.game).sides(self.players)


@frozen
class _Pairing:
    """Two levels at a game of `players` players, with a budget for levels that search."""

    game: str
    players: int
    levels: tuple[str, str]
    imagined: int

    def planned(self, matches: int, seed: int) -> list[PlannedMatch]:
        """Return the matches; the first level plays each deal once on every side."""
        sides = game_named(self.game).sides(self.players)
        deal = f"{seed} {self.game} {self.players}"
        return [
            PlannedMatch(
                self.game,
                self.players,
                self.levels,
                first=number % sides,
                seed=f"{deal} {number // sides}",
                imagined=self.imagined,
            )
            for number in range(matches)
        ]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `run`."""
    parser.add_argument("--game", choices=tuple(GAMES), help="only this game")
    parser.add_argument("--players", type=whole(2, 6), metavar="N", help="how many play")
    parser.add_argument(
        "--matches", type=whole(1, 1_000_000), default=100, metavar="N", help="for each pairing"
    )
    parser.add_argument(
        "--levels",
        type=_pair,
        metavar="A,B",
        help=f"two of {', '.join(MEASURED)}; otherwise each level against the one below it",
    )
    parser.add_argument(
        "--imagined",
        type=whole(1, 1_000_000),
        default=Budget().moves,
        metavar="N",
        help="moves in the search of a level, for each choice",
    )
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="fixes deals and choices")
    parser.add_argument(
        "--processes", type=whole(1, 1_000), metavar="N", help="by default one for each processor"
    )


def _pair(levels: str) -> tuple[str, str]:
    names = levels.split(",")
    if len(names) != 2 or not {*names} <= {*MEASURED}:
        raise argparse.ArgumentTypeError(f"not two of {', '.join(MEASURED)}, with a comma between")
    return names[0], names[1]


def run(
    game: str | None,
    players: int | None,
    matches: int,
    levels: tuple[str, str] | None,
    seed: int,
    processes: int | None = None,
    imagined: int = Budget().moves,
) -> tuple[OpponentsBench, ...]:
    """Play `matches` of each pairing in `processes`; by default there is one for each processor.

    Raises InvalidOption for a number of players with which a game cannot be played.
    """
    pairs = [levels] if levels else list(zip(MEASURED[1:], MEASURED, strict=False))
    pairings = [
        _Pairing(name, number, pair, imagined)
        for name, number in _tables(game, players)
        for pair in pairs
    ]
    planned = [match for pairing in pairings for match in pairing.planned(matches, seed)]
    played = on_all_cores(play, planned, processes=processes)
    return tuple(
        _bench(pairing, played[number * matches :][:matches])
        for number, pairing in enumerate(pairings)
    )


def _tables(game: str | None, players: int | None) -> list[tuple[str, int]]:
    """Return games with numbers of players.

    By default a game with couples is played by four and by two, any other by its usual number.
    """
    if game is None:
        return [
            (name, n)
            for name, rules in GAMES.items()
            for n in (_usual(rules) if players is None else (players,))
            if n in rules.players
        ]
    rules = game_named(game)
    if players is None:
        return [(game, n) for n in _usual(rules)]
    rules.check_players(players)
    return [(game, players)]


def _usual(game: Game) -> list[int]:
    return [n for n in (4, 2) if n in game.players and (n == game.usual_players or game.couples)]


def _bench(pairing: _Pairing, played: Sequence[Played]) -> OpponentsBench:
    matches = len(played)
    won = sum(match.won is True for match in played)
    rounds = sum(match.rounds for match in played)
    low, high = wilson(won, matches)
    times = [tuple(chain.from_iterable(m.seconds[level] for m in played)) for level in (0, 1)]
    blunders = (Blunders(), Blunders())
    for match in played:
        for total, more in zip(blunders, match.blunders, strict=True):
            total.add(more)
    points = [sum(match.points[level] for match in played) / rounds for level in (0, 1)]
    return OpponentsBench(
        game=pairing.game,
        players=pairing.players,
        levels=pairing.levels,
        imagined=pairing.imagined,
        matches=matches,
        won=won,
        drawn=sum(match.won is None for match in played),
        low=low,
        high=high,
        rounds_a_match=rounds / matches,
        points_a_round=(points[0], points[1]),
        mean_ms=(1000 * mean(times[0]), 1000 * mean(times[1])),
        worst_ms=(1000 * max(times[0]), 1000 * max(times[1])),
        blunders=blunders,
    )


def wilson(won: int, matches: int) -> tuple[float, float]:
    """Return the 95 % interval of a rate.

    See E. B. Wilson, "Probable inference, the law of succession, and statistical inference", 1927.
    """
    rate, z2 = won / matches, _Z**2
    middle = (rate + z2 / (2 * matches)) / (1 + z2 / matches)
    spread = _Z * sqrt(rate * (1 - rate) / matches + z2 / (4 * matches**2)) / (1 + z2 / matches)
    return middle - spread, middle + spread


def as_json(benches: Sequence[OpponentsBench]) -> str:
    """Return the results as one JSON object."""
    pairings: list[Mapping[str, Any]] = [
        {**asdict(b), "share": b.share, "fair": b.fair} for b in benches
    ]
    return json.dumps(rounded({"pairings": pairings}))
