"""`sobremesa resume`: go on at a table where the match is not over."""

import argparse
from datetime import datetime

import trio
from attrs import frozen

from client.seating.at_table import add_autoplay, has_record, play_as_asked
from client.seating.home import Home, at_home, run_trio
from client.telling.console import Console
from p2p.agreement import Agreement, Pledge, is_farewell_said
from p2p.folders import data_folder
from p2p.journal import Journal
from p2p.lobby import claim
from protocol.charter import Charter
from protocol.entries import AbsentContent, Body, CloseContent, Entry
from protocol.errors import Malformed, Refused


@frozen
class Unfinished:
    """A table that waits to be taken up again; `created` is for people to read. At one that is
    `over`, somebody may not have the end yet.
    """

    agreement: Agreement
    created: str
    entries: int
    over: bool = False

    @property
    def line(self) -> str:
        charter = self.agreement.charter.charter
        names = ", ".join(member.name for member in charter.members)
        day = datetime.fromisoformat(self.created).strftime("%d %b %Y, %H:%M UTC")
        line = f"{charter.game.title} with {names}, begun {day}, {self.entries} entries"
        return f"{line}; it is over, but somebody may not have its end yet" if self.over else line


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--list", action="store_true", help="only list the unfinished tables")
    parser.add_argument("--number", type=int, metavar="N", help="which one; the newest is 1")
    parser.add_argument("--port", type=int, help="where to listen")
    add_autoplay(parser)


def run(arguments: argparse.Namespace) -> int:
    """Raises Refused if there is no such table, FolderError, JournalError, LinkError."""
    return run_trio(_resume, arguments)


async def _resume(arguments: argparse.Namespace) -> int:
    console = Console()
    async with at_home(data_folder(), arguments.port) as home:
        if home.trouble:
            console.line(home.trouble)
        if arguments.list:
            for number, table in enumerate(unfinished_tables(home.journal), 1):
                console.line(f"{number}. {table.line}")
            return 0
        agreement = await unfinished_table(home, console, arguments.number or 1)
        return await play_as_asked(home, agreement, console, arguments)


async def unfinished_table(home: Home, console: Console, number: int = 1) -> Agreement:
    """The unfinished table of that number, 1 being the newest, to be played at.

    Raises Refused if there is none, and as `claim` if the newest one has to be asked for first.
    """
    pledge = Pledge.recalled(home.journal)
    if pledge is not None:
        console.line("Asking the host whether the table that you signed for has begun …")
        await claim(home.endpoint, home.journal, pledge)
    tables = await trio.to_thread.run_sync(unfinished_tables, home.journal)
    if not 1 <= number <= len(tables):
        raise Refused("There is no such unfinished table in your journal.")
    return tables[number - 1].agreement


def unfinished_tables(journal: Journal) -> tuple[Unfinished, ...]:
    """The tables at which the match is not over, or whose record is not yet in a file, the newest
    first; and after them those whose end this node may still have to tell to somebody. Blocks.
    """
    found, told = [], []
    for record in reversed(journal.tables()):
        try:
            agreement = Agreement.recalled(journal, record)
            entries = journal.entries(record.table_id)
        except Malformed:
            continue
        stopped = bool(journal.evidence(record.table_id))
        over = stopped or _is_over(agreement.charter.charter, entries)
        if not over or not has_record(journal, record.table_id):
            found.append(Unfinished(agreement, record.created, len(entries)))
        elif not stopped and not is_farewell_said(journal, record.table_id):
            told.append(Unfinished(agreement, record.created, len(entries), over=True))
    return (*found, *told)


def _is_over(charter: Charter, entries: tuple[bytes, ...]) -> bool:
    """Whether all have signed the last round, or that the match ends: then these are the last
    entries.
    """
    if entries and Entry.decode(entries[-1]).is_joint:
        last = Body.decode(Entry.decode(entries[-1]).body, charter.game.deck, joint=True).content
        assert isinstance(last, AbsentContent)
        return not last.substitutes or (last.counted is not None and last.counted.last)
    if any(Entry.decode(entry).is_joint for entry in entries[-len(charter.members) :]):
        return False
    players = len(charter.members)
    bodies = (Body.decode(Entry.decode(e).body, charter.game.deck) for e in entries[-players:])
    closings = [body.content for body in bodies if isinstance(body.content, CloseContent)]
    return len(closings) == players and all(closing.last for closing in closings)
