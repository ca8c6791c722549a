"""Tables of one person and opponents. They lie in the data folder until the match is over, so an
evening that was interrupted goes on where it was.
"""

import random
import shutil
import time
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from pathlib import Path

import trio
from attrs import frozen

from client.opponents.levels import opponent
from client.opponents.sitting import Chooser, sit_in
from client.records import new_record_path, write_record
from client.screens.look import Look
from client.screens.show_table import show_table
from client.seating.local_table import local_table, resumed_table
from client.settings import Settings
from engine.games import Game
from engine.moves import Move
from engine.position import Position, Step
from p2p.folders import data_folder, make_private
from p2p.node import Node

NAMES = ("Ana", "Bruno", "Carla", "Diego", "Elena", "Fermín", "Gloria")

_TABLE_NUMBERS = 100_000
_PACES = {"at once": 0.0, "quick": 0.3, "calm": 1.0}
"""Seconds for which an opponent thinks at least before it draws."""


@frozen
class Outcome:
    """How an evening ended: with the match over and its record in a file, or in the middle."""

    record: Path | None


def solo_folder() -> Path:
    """Where the tables lie. Raises FolderError."""
    return make_private(data_folder() / "solo")


def unfinished() -> tuple[Path, ...]:
    """The folders of tables that can be continued, the newest first."""
    folders = [path for path in solo_folder().iterdir() if path.name.isdecimal()]
    return tuple(sorted(folders, key=lambda path: int(path.name), reverse=True))


def begun_at(folder: Path) -> datetime:
    """When the table was made."""
    return datetime.fromtimestamp(folder.stat().st_ctime)


async def new_table(settings: Settings, look: Look, game: Game, players: int, seed: int) -> Outcome:
    """Sit down with `players` - 1 opponents at a new table, and play until the person leaves."""
    parent = solo_folder()
    names = (
        path for number in range(_TABLE_NUMBERS) if not (path := parent / str(number)).exists()
    )
    folder = make_private(next(names))
    others = [name for name in NAMES if name != settings.name][: players - 1]
    table = local_table(game, game.options(), (settings.name, *others), folder)
    return await _play(table, folder, settings, look, seed)


async def continued_table(folder: Path, settings: Settings, look: Look, seed: int) -> Outcome:
    """Go on at the table in `folder`. Raises JournalError, Malformed if it is damaged."""
    return await _play(resumed_table(folder), folder, settings, look, seed)


async def _play(
    table: AbstractAsyncContextManager[tuple[Node, ...]],
    folder: Path,
    settings: Settings,
    look: Look,
    seed: int,
) -> Outcome:
    async with table as nodes:
        async with trio.open_nursery() as nursery:
            for number, node in enumerate(nodes):
                nursery.start_soon(node.run)
                if number > 0:
                    rng = random.Random(f"{seed} {number}")
                    choose = opponent(settings.level, node.state.match.game.name, rng)
                    nursery.start_soon(sit_in, node, _paced(choose, _PACES[settings.pace]))
            await show_table(nodes[0], look)
            nursery.cancel_scope.cancel()
        if not nodes[0].state.complete:
            return Outcome(None)
        record = new_record_path(None, nodes[0].state.match.game.name)
        write_record(record, nodes[0].record())
    shutil.rmtree(folder)
    return Outcome(record)


def _paced(choose: Chooser, seconds: float) -> Chooser:
    """Like `choose`, but never so fast that a person cannot follow."""

    def paced(view: Position) -> Move:
        if view.turn.step in (Step.OPEN, Step.DRAW):
            time.sleep(seconds)
        return choose(view)

    return paced
