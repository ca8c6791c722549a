"""Players at one level, and summaries of their rounds for the files in `rounds/`."""

from collections.abc import Iterator
from pathlib import Path
from zlib import crc32

from client.bots.chooser import Budget
from client.bots.levels import LEVELS, opponent
from engine.games import GAMES
from tests.engine.simulation import Player, states

SEARCHING = ("patient",)  # too slow for whole rounds; `test_search.py` tests it


def at_level(level: str, game: str, budget: Budget | None = None) -> Player:
    """Return a player for `states`, who plays at a level."""
    return lambda view, rng: opponent(level, game, rng, budget or Budget())(view)


def path_of(name: str) -> Path:
    """Return the path of the file with the summaries of a game's rounds."""
    return Path(__file__).parent / "rounds" / f"{name}.txt"


def summaries(name: str) -> Iterator[str]:
    """Return the number of moves of each round, the points, and a checksum of the moves.

    All seats play at the same level.
    """
    game = GAMES[name]
    for level in (level for level in LEVELS if level not in SEARCHING):
        for players in game.players:
            player = at_level(level, name)
            steps = list(states(game, game.options(rounds=1), players, 1, player))
            points = " ".join(map(str, steps[-1][0].totals))
            checksum = crc32("".join(repr(move) for _, move, _ in steps).encode())
            yield f"{level}, {players} players: {len(steps)}; {points}; {checksum:08x}"
