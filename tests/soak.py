"""Many whole matches with every step checked: `python -m tests.soak --game canasta --players 4`.

The checks: no card is lost, the player to move has a legal move, and a second scorer counts the
same. The first failure ends the run, and is shown with its seed. A match that seems never to end
is a failure, too: with `--style eager` players may take the pile for ever, or never reach the
target.
"""

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from importlib import import_module

from engine.game import Game
from engine.games import GAMES
from engine.options import Options
from tests.engine.second_scoring import NaiveScorer
from tests.engine.simulation import (
    EndlessMatch,
    Player,
    at_random,
    eagerly,
    mixed,
    play_checked,
)

PLAYERS: dict[str, Player] = {"random": at_random, "eager": eagerly, "mixed": mixed}


def main(arguments: Sequence[str] | None = None) -> int:
    """Play the matches that the arguments ask for; raise any failure after its seed is printed."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--game", choices=GAMES, default="canasta")
    parser.add_argument("--players", type=int, help="how many sit down; default: as many as can")
    parser.add_argument("--games", type=int, default=1000, metavar="N", help="matches to play")
    parser.add_argument("--seed", type=int, default=0, help="seed of the first match")
    parser.add_argument("--style", choices=PLAYERS, default="mixed", help="how they play")
    parser.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="e.g. penalties=yes"
    )
    given = parser.parse_args(arguments)
    game = GAMES[given.game]
    players = given.players or game.players[-1]
    options = _options(game.options, given.option)
    scorer, start, rounds = scorer_of(game), time.monotonic(), 0
    for seed in range(given.seed, given.seed + given.games):
        try:
            match = play_checked(game, options, players, seed, scorer, PLAYERS[given.style])
        except EndlessMatch as endless:
            style = f"with --style {given.style} and seed {seed}"
            print(f"{game.name} of {players}, {style}: {endless}", file=sys.stderr)
            return 1
        except Exception:
            print(f"{game.name} of {players} failed with seed {seed}", file=sys.stderr)
            raise
        rounds += len(match.sheets)
    seconds = time.monotonic() - start
    print(f"{game.name} of {players}: {given.games} matches, {rounds} rounds, {seconds:.0f} s")
    return 0


def scorer_of(game: Game) -> Callable[[], NaiveScorer]:
    """Return the class of the game's second scorer: `NaiveSamba` in Samba."""
    module = import_module(f"tests.engine.{game.name}.second_scorer")
    scorer: Callable[[], NaiveScorer] = getattr(
        module, f"Naive{game.title.title().replace(' ', '')}"
    )
    return scorer


def _options(kind: type[Options], given: Sequence[str]) -> Options:
    pairs: list[tuple[str, bool | int]] = []
    for text in given:
        name, _, value = text.partition("=")
        pairs.append((name, value == "yes" if value in ("yes", "no") else int(value)))
    return kind.from_pairs(pairs)


if __name__ == "__main__":
    sys.exit(main())
