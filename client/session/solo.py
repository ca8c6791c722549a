"""Tables of one person and opponents. They lie in the data folder until the match is over, so an
evening that was interrupted goes on where it was.
"""

import random
import shutil
from collections import deque
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from pathlib import Path

import trio
from attrs import frozen

from client.bots.levels import opponent
from client.bots.runner import PACES, before_draws, sit_in
from client.record_files import new_record_path, write_record
from client.session.local_table import local_table, resumed_table
from client.session.next_step import Wish
from client.settings import Settings
from client.ui.appearance import Look
from client.ui.show_table import show_table
from engine.games import Game
from p2p.storage.folders import data_folder, make_private
from p2p.table.node import Node
from protocol.charter import Charter

NAMES = ("Ana", "Bruno", "Carla", "Diego", "Elena", "Fermín", "Gloria")

_TABLE_NUMBERS = 100_000


@frozen
class Outcome:
    """How a match ended: with its record in a file and a wish, or in the middle, without."""

    charter: Charter
    record: Path | None = None
    wish: Wish = Wish.LEAVE


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
    others = opponents_for(settings.name, players)
    outcome = await _play_new(settings, look, game, others, seed)
    return await _play_again(outcome, settings, look, seed)


async def continued_table(folder: Path, settings: Settings, look: Look, seed: int) -> Outcome:
    """Go on at the table in `folder`. Raises JournalError, Malformed if it is damaged."""
    outcome = await _play(resumed_table(folder), folder, settings, look, seed)
    return await _play_again(outcome, settings, look, seed)


def opponents_for(name: str, players: int, before: Sequence[str] = ()) -> tuple[str, ...]:
    """The names of opponents for a person of that name; others in other places than `before`, so
    that each is another one's partner.
    """
    names = deque(other for other in NAMES if other != name)
    if before:
        names.rotate(-1 - (names.index(before[0]) if before[0] in names else 0))
    return tuple(names)[: players - 1]


async def _play_again(outcome: Outcome, settings: Settings, look: Look, seed: int) -> Outcome:
    """One rematch after the other, at once, as long as the person wants one."""
    while outcome.wish is not Wish.LEAVE:
        seed += 1
        charter = outcome.charter
        others = tuple(member.name for member in charter.members[1:])
        if outcome.wish is Wish.OTHER_SEATS:
            others = opponents_for(settings.name, len(charter.members), others)
        outcome = await _play_new(settings, look, charter.game, others, seed)
    return outcome


async def _play_new(
    settings: Settings, look: Look, game: Game, others: Sequence[str], seed: int
) -> Outcome:
    parent = solo_folder()
    names = (
        path for number in range(_TABLE_NUMBERS) if not (path := parent / str(number)).exists()
    )
    folder = make_private(next(names))
    table = local_table(game, game.options(), (settings.name, *others), folder)
    return await _play(table, folder, settings, look, seed)


async def _play(
    table: AbstractAsyncContextManager[tuple[Node, ...]],
    folder: Path,
    settings: Settings,
    look: Look,
    seed: int,
) -> Outcome:
    pause = before_draws(PACES[settings.pace])
    async with table as nodes:
        charter = nodes[0].charter
        async with trio.open_nursery() as nursery:
            for number, node in enumerate(nodes):
                nursery.start_soon(node.run)
                if number > 0:
                    rng = random.Random(f"{seed} {number}")
                    choose = opponent(settings.level, charter.game.name, rng)
                    nursery.start_soon(sit_in, node, choose, pause)
            wish = await show_table(nodes[0], look, wishes=(Wish.AGAIN, Wish.OTHER_SEATS))
            nursery.cancel_scope.cancel()
        if not nodes[0].state.complete:
            return Outcome(charter)
        record = new_record_path(None, charter.game.name)
        write_record(record, nodes[0].record())
    shutil.rmtree(folder)
    return Outcome(charter, record, wish)
