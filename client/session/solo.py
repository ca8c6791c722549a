"""Tables of one person and bots, all on this machine.

The files of a table lie in the data folder until its match is over, so that an interrupted match
can be continued.
"""

import shutil
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from functools import partial
from itertools import count
from pathlib import Path

import trio
from attrs import evolve, frozen

from client.bots.levels import LEVELS
from client.bots.runner import PACES, before_draws, opponent_at_table, sit_in
from client.i18n.language import _
from client.i18n.sentences import said
from client.record_files import RecordError, save_record, written_later
from client.record_summary import Standing, standing_after
from client.session.display.display_interface import Restoring
from client.session.display.snapshot import AfterMatch
from client.session.loopback_table import loopback_table, newest_match, restore_all, resumed_table
from client.session.solo_folder import left_at, solo_folder
from client.settings import Settings
from engine.game import Game
from engine.options import Options
from p2p.error_reasons import reason_of
from p2p.match.match_node import MatchNode
from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.journal import Journal
from p2p.storage.journal_file import JournalError
from p2p.storage.private_files import FolderError, locked, make_private
from protocol.charter import Charter
from protocol.charter_extensions import opponents_extension, opponents_of
from protocol.deal_of_the_day import day_extension, day_of
from protocol.errors import LocalError, RemoteError

NAMES = ("Ana", "Bruno", "Carla", "Diego", "Elena", "Fermín", "Gloria")


LEVEL_OF_THE_DAY = "strong"
"""Level of the opponents in a deal of the day: the same for everybody, and quick to decide."""

OWN_SEAT = "0"
"""The folder of the person's own node at a table."""

Show = Callable[[MatchNode], Awaitable[AfterMatch]]
"""Function that shows the table of a node to the person, until they leave it."""


@frozen
class Outcome:
    """The result of playing against bots at a table, from the point of view of the person.

    `record` is the file of a finished match; None if the person left before its end.
    """

    charter: Charter
    record: Path | None = None
    choice: AfterMatch = AfterMatch.LEAVE


def table_line(folder: Path) -> str:
    """Return a line about an unfinished table.

    The line has the game, the players, the score, and the time when the table was left. For a table
    that cannot be continued, the line has the table's number, the time, and the reason.
    """
    left = f"{datetime.fromtimestamp(left_at(folder)):%Y-%m-%d %H:%M}"
    try:
        standing = _standing(folder / OWN_SEAT / JOURNAL_FILE)
    except (LocalError, RemoteError, OSError) as error:
        why = reason_of(error) if isinstance(error, OSError) else said(error)
        template = _("Table {number}, left {time}, cannot be continued: {why}")
        return template.format(number=folder.name, time=left, why=why)
    return _("{table}, left {time}").format(table=standing.line, time=left)


def _standing(path: Path) -> Standing:
    """Return the score of the match in a journal. Raises LocalError, RemoteError and OSError."""
    if not path.exists():
        raise JournalError("There is no journal in {folder}.", folder=str(path.parent))
    with Journal.open(path) as journal:
        standing = standing_after(newest_match(journal).parts(journal))
        assert standing is not None, "a match has a charter"
        return standing


def delete_table(folder: Path) -> None:
    """Delete a table that is not over.

    Raises IdentityInUse if another process plays at it, and OSError.
    """
    own = folder / OWN_SEAT
    if own.is_dir():
        with locked(own):
            pass  # only to check that nobody plays at it
    shutil.rmtree(folder)


def today() -> str:
    """Return today's date on this machine, in ISO 8601."""
    return datetime.now().date().isoformat()


def opponents_for(name: str, players: int, before: Sequence[str] = ()) -> tuple[str, ...]:
    """Return names for the bots at the table of a person called `name`.

    `before` has the bots' names at the last table, if any. The new names begin one later in
    `NAMES`, so that the person gets another partner: after Ana, Bruno and Carla come Bruno, Carla
    and Diego.
    """
    names = deque(other for other in NAMES if other != name)
    if before:
        names.rotate(-1 - (names.index(before[0]) if before[0] in names else 0))
    return tuple(names)[: players - 1]


@frozen
class SoloTables:
    """The tables at which a person plays against bots, one after the other.

    With a `seed`, the random choices of the bots can be repeated.
    """

    settings: Settings
    show: Show
    seed: int | None = None

    async def new(self, game: Game, options: Options, players: int) -> Outcome:
        """Play at a new table with `players` - 1 bots until the person leaves."""
        others = opponents_for(self.settings.name, players)
        return await self._play_again(await self._play_new(game, options, others))

    async def of_the_day(self, game: Game, day: str) -> Outcome:
        """Play the deal of a day: one round, against the same opponents as everybody else.

        A rematch is also a match of one round, but its cards are dealt at random.
        """
        others = opponents_for(self.settings.name, game.usual_players)
        return await self._play_again(
            await self._play_new(game, game.options(rounds=1), others, day)
        )

    async def continued(self, folder: Path, restoring: Restoring) -> Outcome:
        """Continue the table in `folder`. Raises JournalError and Malformed if it is damaged."""
        return await self._play_again(await self._play(resumed_table(folder), folder, restoring))

    async def _play_again(self, outcome: Outcome) -> Outcome:
        """Play rematches as long as the person wants another, each with a new seed."""
        tables = self
        while outcome.choice is not AfterMatch.LEAVE:
            tables = evolve(tables, seed=None if tables.seed is None else tables.seed + 1)
            charter = outcome.charter
            others = tuple(member.name for member in charter.members[1:])
            if outcome.choice is AfterMatch.OTHER_SEATS:
                others = opponents_for(self.settings.name, len(charter.members), others)
            outcome = await tables._play_new(charter.game, charter.options, others)
        return outcome

    async def _play_new(
        self, game: Game, options: Options, others: Sequence[str], day: str = ""
    ) -> Outcome:
        level = LEVEL_OF_THE_DAY if day else self.settings.level
        # In the order of their names, as the charter must have them: `deal_of_the_day`, then
        # `opponents`.
        extensions = (*([day_extension(day)] if day else []), opponents_extension(level))
        parent = solo_folder()
        unused = (path for number in count() if not (path := parent / str(number)).exists())
        folder = make_private(next(unused))
        table = loopback_table(game, options, (self.settings.name, *others), folder, extensions)
        return await self._play(table, folder)

    async def _play(
        self,
        table: AbstractAsyncContextManager[tuple[MatchNode, ...]],
        folder: Path,
        restoring: Restoring | None = None,
    ) -> Outcome:
        pause = before_draws(PACES[self.settings.pace])
        async with table as nodes:
            charter = nodes[0].charter
            day, named = day_of(charter), opponents_of(charter)
            level = named if named in LEVELS else self.settings.level
            # On the same day, everybody's opponents choose with the same seeds.
            base = day or self.seed
            if restoring is not None and not await restoring(partial(restore_all, nodes)):
                return Outcome(charter)
            async with trio.open_nursery() as nursery:
                for number, node in enumerate(nodes):
                    nursery.start_soon(node.run)
                    # Node 0 is the person's; all others get a bot.
                    if number > 0:
                        own_seed = None if base is None else f"{base} {number}"
                        choose = opponent_at_table(level, charter.game.name, own_seed)
                        nursery.start_soon(sit_in, node, choose, pause)
                choice = await self.show(nodes[0])
                nursery.cancel_scope.cancel()
            # Only the folder of a finished match is deleted, and only when its record is in a file.
            if not nodes[0].state.complete:
                return Outcome(charter)
            try:
                record = save_record(nodes[0].record(), charter.game.name)
            except (RecordError, FolderError) as error:
                raise written_later(error, "sobremesa solo --continue") from error
        shutil.rmtree(folder)
        return Outcome(charter, record, choice)
