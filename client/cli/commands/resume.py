"""`sobremesa resume`: continue at a table whose match is not over."""

import argparse
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime

import trio
from attrs import field, frozen

from client.cli.shared_arguments import add_playing, display_of, play_session, settings_of
from client.i18n.language import _, _n
from client.record_summary import Standing, standing_after
from client.session.display.display_interface import SessionDisplay
from client.session.network_node import NetworkNode
from client.session.run_until_signal import run_trio
from client.session.seated_bots import SeatedBots
from client.session.solo import table_line
from client.session.solo_folder import unfinished
from client.settings import Settings
from client.ui.text.console import Console
from engine.sentences import N_
from p2p.lobby.damaged_charter import damaged_charters, fetch_charter
from p2p.lobby.guest import claim
from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.journal import Journal
from p2p.storage.memberships import MatchRecord, Membership, PendingCharter, matches
from p2p.storage.private_files import data_folder
from protocol.charter import Charter
from protocol.entries import Body, CloseContent, Entry
from protocol.errors import Malformed, Refused, RemoteError
from protocol.record_file import PartKind, kind_of

_LIST = "sobremesa resume --list"

_FEWEST_TO_GO_ON = 3
"""Minimum number of players in a match that can go on without one of them.

The players who go on must be more than half: 2 of 3 are, 1 of 2 is not.
"""


@frozen
class Unfinished:
    """A match that can be resumed."""

    membership: Membership
    created: str
    """Time at which the match began, as text."""
    parts: tuple[bytes, ...] = field(repr=False)
    """The parts of the match's record: charters and entries."""
    over: bool = False
    """True if the match is over, but another player may not have the end of the record yet."""

    @property
    def line(self) -> str:
        """Return the match in one line."""
        standing = Standing(self.membership.charter.charter, (), None)
        with suppress(Malformed):  # with damaged entries, the line has no score
            standing = standing_after(self.parts) or standing
        entries = sum(kind_of(part) is PartKind.ENTRY for part in self.parts)
        line = _("{table}, begun {time} UTC, {entries}").format(
            table=standing.line,
            time=_minute(self.created),
            entries=_n("{n} entry", "{n} entries", entries),
        )
        if self.over:
            return line + _("; it is over, but somebody may not have its end yet")
        return line


def _minute(created: str) -> str:
    """Return a time in the journal, to the minute; "?" if the text of the time is damaged."""
    try:
        return f"{datetime.fromisoformat(created):%Y-%m-%d %H:%M}"
    except ValueError:
        return "?"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--list", action="store_true", help=_("only list the unfinished tables"))
    parser.add_argument("--number", type=int, metavar="N", help=_("which one; the newest is 1"))
    add_playing(parser)


def run(arguments: argparse.Namespace) -> int:
    """Resume a table, or list them. Raises the errors of `play`, and FolderError."""
    if arguments.list:
        return run_trio(_list)
    settings = settings_of(arguments)
    return play(arguments, display_of(arguments, settings), settings)


def play(arguments: argparse.Namespace, display: SessionDisplay, settings: Settings) -> int:
    """Continue at the table that the arguments name.

    Raises Refused if there is no such table, FolderError, JournalError, LinkError.
    """

    async def begin(local: NetworkNode, _seated_bots: SeatedBots) -> Membership:
        if local.trouble:
            display.tell(local.trouble)
        return await _unfinished_table(local, display, arguments.number)

    return play_session(arguments, display, settings, begin)


async def _list() -> int:
    console = Console()
    lines = tuple(_waiting())
    for line in lines or (_("No match waits to be continued. To begin one: sobremesa play"),):
        console.line(line)
    return 0


def _waiting() -> Iterator[str]:
    """Return a line about each match that is not over, or was given up. Blocks."""
    with Journal.open(data_folder() / JOURNAL_FILE) as journal:
        for number, table in enumerate(unfinished_tables(journal), 1):
            yield f"{number}. {table.line}"
        yield from _given_up(journal)
        for record in damaged_charters(journal):
            text = _("The charter of the table begun {time} UTC is damaged. To fetch it: {command}")
            time = _minute(record.created)
            yield text.format(time=time, command="sobremesa resume")
        pending = journal.pending_charter() is not None
    text = _("{table}. To go on: {command}")
    if pending:
        asked = _("The last table that you signed for, if all others have signed too")
        yield text.format(table=asked, command="sobremesa resume")
    for folder in unfinished():
        yield text.format(table=table_line(folder), command="sobremesa solo --continue")


def _given_up(journal: Journal) -> Iterator[str]:
    """Return a line about each match that the player has given up. Blocks."""
    for match in reversed(matches(journal)):
        if journal.is_given_up(match.first.table_id):
            with suppress(Malformed):
                membership, parts = match.membership(journal), tuple(match.parts(journal))
                line = Unfinished(membership, match.first.created, parts).line
                name = membership.charter.charter.name_of(membership.me)
                yield _("{table}; given up by {name}").format(table=line, name=name)


async def _unfinished_table(
    local: NetworkNode, display: SessionDisplay, number: int | None
) -> Membership:
    """Return the unfinished table with that number: the newest has number 1, and is the default.

    The person may have signed the charter of a still newer table without hearing that it has begun.
    So without a number, the host of that table is asked first. If the host does not answer, the
    person can still resume another table by its number.

    Raises Refused if there is no such table, and the errors of `claim`.
    """
    if number is None:
        await _claim_pending(local, display)
        number = 1
    missing = False
    for record in await trio.to_thread.run_sync(damaged_charters, local.journal):
        text = _("The charter of the table begun {time} UTC is damaged. Asking the others for it …")
        display.tell(text.format(time=_minute(record.created)))
        if not await fetch_charter(local.endpoint, local.journal, record):
            missing = True
            display.tell(
                _("None of them answers. Ask them to start the program, then resume again.")
            )
    tables = await trio.to_thread.run_sync(unfinished_tables, local.journal)
    if missing and not tables:
        raise Refused("There is no other table to resume.")
    if not 1 <= number <= len(tables):
        text = N_("There is no table {number} to go on at. To see which there are: {list}")
        if not tables:
            text = N_(
                "No table with other people waits to be continued. To see what else waits: {list}"
            )
        raise Refused(text, number=number, list=_LIST)
    return tables[number - 1].membership


async def _claim_pending(local: NetworkNode, display: SessionDisplay) -> None:
    """Ask the host for the charter that this player signed last. Raises the errors of `claim`."""
    try:
        pending = PendingCharter.recalled(local.journal)
    except Malformed:
        text = _(
            "The charter that you signed last is damaged. If that table has begun, ask the others "
            "at it to go on without you."
        )
        display.tell(text)
        return
    if pending is not None:
        display.tell(_("Asking the host whether the table that you signed for has begun …"))
        try:
            await claim(local.endpoint, local.journal, pending)
        except RemoteError:
            if await trio.to_thread.run_sync(unfinished_tables, local.journal):
                command = "sobremesa resume --number 1"
                text = _("To go on at another table: {command}")
                display.tell(text.format(command=command))
            raise


def unfinished_tables(journal: Journal) -> tuple[Unfinished, ...]:
    """Return the matches that are not over or whose record is not yet in a file. Blocks.

    The newest match comes first. At the end come matches that are over and in a file, if another
    player may still need the end of the record from this node. Matches that were given up, or that
    go on without this player, are left out.
    """
    found, over_ones = [], []
    for match in reversed(matches(journal)):
        match_id = match.first.table_id
        try:
            membership, parts = match.membership(journal), tuple(match.parts(journal))
        except Malformed:
            continue
        if journal.is_given_up(match_id) or membership.table_id != match.newest.table_id:
            continue
        stopped = _has_stopped(journal, match, membership.charter.charter)
        entries = journal.entries(membership.table_id)
        over = stopped or _is_over(membership.charter.charter, entries)
        if not over or not journal.is_in_a_file(match_id):
            found.append(Unfinished(membership, match.first.created, parts))
        elif not stopped and not journal.have_all_synced(membership.table_id):
            over_ones.append(Unfinished(membership, match.first.created, parts, over=True))
    return (*found, *over_ones)


def _has_stopped(journal: Journal, match: MatchRecord, charter: Charter) -> bool:
    """Return True if somebody has cheated, and the match cannot go on without them."""
    few = len(charter.members) < _FEWEST_TO_GO_ON
    return few and bool(journal.evidence(match.newest.table_id))


def _is_over(charter: Charter, entries: tuple[bytes, ...]) -> bool:
    """Return True if all have signed the end of the match, or a continuation ends it at once."""
    continues = charter.continues
    if continues is not None and continues.ends and not entries:
        return True
    players = len(charter.signers)
    with suppress(Malformed):  # a match with damaged entries is not over
        bodies = [Body.decode(Entry.decode(e).body, charter.deck) for e in entries[-players:]]
        contents = (body.content for body in bodies)
        return sum(isinstance(one, CloseContent) and one.last for one in contents) == players
    return False
