"""`sobremesa watch`: look on at somebody's table, if all its players have agreed to spectators."""

import argparse
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from client.cli.find_table import Wanted, add_target, find, typed_way_to
from client.cli.shared_arguments import port_number, settings_of
from client.i18n.language import _
from client.session.network_node import open_network_node, own_name
from client.session.run_until_signal import run_trio
from client.session.watched_table import Find, WatchedTable
from client.settings import Settings
from client.ui.session_displays import PersonDisplay
from client.ui.tui.toolkit.terminal_look import TerminalLook
from engine.sentences import Sentence
from p2p.discovery.beacon import Beacon
from p2p.match.followed_match import FollowedMatch
from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.journal import Journal
from p2p.storage.private_files import data_folder


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_target(parser)
    parser.add_argument("--name", help=_("your name, as the players see it"))
    parser.add_argument("--port", type=port_number, help=_("the port at which to listen"))
    parser.add_argument("--linear", action="store_true", help=_("lines instead of a full screen"))
    parser.set_defaults(level=None)


def run(arguments: argparse.Namespace) -> int:
    """Watch a table. Raises the errors of `play`, and FolderError."""
    settings = settings_of(arguments)
    return play(arguments, PersonDisplay(TerminalLook.of(settings)), settings)


def play(arguments: argparse.Namespace, display: PersonDisplay, settings: Settings) -> int:
    """Watch the table that the arguments name.

    Raises LinkError, FolderError, JournalError, Malformed for a bad name, and BadRequest for an
    impossible address.
    """
    del settings
    folder = data_folder()
    name = own_name(folder, arguments.name)
    look_up = partial(find, text=arguments.target, wanted=TO_WATCH)
    return run_trio(_watch, folder, arguments.port, display, name, look_up)


async def _watch(
    folder: Path, port: int | None, display: PersonDisplay, name: str, find: Find
) -> int:
    """Watch a table, and return the exit code.

    Raises the errors of `open_network_node` and `find`, and those of `FollowedMatch.follow` that
    come before there is anything to see.
    """
    with TemporaryDirectory(prefix="sobremesa-") as scratch:
        async with open_network_node(folder, port) as local:
            with Journal.open(Path(scratch) / "watched" / JOURNAL_FILE) as journal:
                table = FollowedMatch(journal, local.identity.public, name)
                watched = WatchedTable(local, table, find)
                with display.hold_screen():
                    await watched.show(display.reaching, display.watch)
                return await watched.conclude(display.tell)


def can_be_watched(beacon: Beacon) -> bool:
    """Return True if the match at a table has begun, and spectators are admitted."""
    return bool(beacon.begun) and beacon.spectators


def _closed(beacon: Beacon) -> Sentence:
    """Return the reason why a table cannot be watched."""
    if beacon.begun:
        return Sentence(
            "“{table}” admits no spectators: its host has opened it without --spectators.",
            table=beacon.table,
        )
    return Sentence(
        "The match at “{table}” has not begun. To play there: {command}",
        table=beacon.table,
        command=f"sobremesa join {typed_way_to(beacon)}",
    )


TO_WATCH = Wanted(
    can_be_watched,
    Sentence(
        "No table that can be watched was found on this network. A table can be watched if its "
        "host opened it with --spectators and its match has begun. If there is one, watch it by "
        "its address: sobremesa watch HOST:PORT. sobremesa doctor says more."
    ),
    _closed,
)
"""The search for a table that can be watched."""
