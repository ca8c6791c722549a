"""Rounds that all seats play at one level, and their summaries for the files in `rounds/`."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from zlib import crc32

from client.bots.levels import LEVELS, opponent
from engine.games import GAMES
from engine.match import Match
from engine.moves import Move
from engine.plain_dealer import PlainDealer
from tests.engine.simulation import states

SEARCHING = ("patient",)  # too slow for whole rounds; `test_search.py` tests it


def played(
    name: str, players: int, level: str, seed: int
) -> Iterator[tuple[Match, Move | None, PlainDealer]]:
    """Return the states of one round in which all seats play at the same level."""
    game = GAMES[name]
    return states(
        game,
        game.options(rounds=1),
        players,
        seed,
        lambda view, rng: opponent(level, name, rng)(view),
    )


@cache
def played_out(name: str, players: int, level: str) -> tuple[list[Move | None], Match]:
    """Return the moves of a round, and its end."""
    steps = list(played(name, players, level, seed=1))
    return [move for _, move, _ in steps], steps[-1][0]


def path_of(name: str) -> Path:
    """Return the path of the file with the summaries of a game's rounds."""
    return Path(__file__).parent / "rounds" / f"{name}.txt"


def summaries(name: str) -> Iterator[str]:
    """Return the number of moves of each round, the points, and a checksum of the moves."""
    for level in (level for level in LEVELS if level not in SEARCHING):
        for players in GAMES[name].players:
            moves, match = played_out(name, players, level)
            points = " ".join(map(str, match.totals))
            checksum = crc32("".join(map(repr, moves)).encode())
            yield f"{level}, {players} players: {len(moves)}; {points}; {checksum:08x}"
