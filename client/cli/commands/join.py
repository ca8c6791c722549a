"""`sobremesa join`: sit down at somebody's table, found by its name or by its address."""

import argparse
from functools import partial

from client.cli.find_table import Wanted, add_target, find, typed_way_to
from client.cli.shared_arguments import add_playing, display_of, play_session, settings_of
from client.i18n.language import _
from client.session.display.display_interface import SessionDisplay
from client.session.joined_lobby import JoinedLobby
from client.session.network_node import NetworkNode, own_name
from client.session.seated_bots import SeatedBots
from client.settings import Settings
from engine.sentences import Sentence
from p2p.discovery.beacon import Beacon
from p2p.storage.private_files import data_folder


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_target(parser)
    parser.add_argument("--name", help=_("your name at the table"))
    add_playing(parser)


def run(arguments: argparse.Namespace) -> int:
    """Sit down at a table. Raises the errors of `play`, and FolderError."""
    settings = settings_of(arguments)
    return play(arguments, display_of(arguments, settings), settings)


def play(arguments: argparse.Namespace, display: SessionDisplay, settings: Settings) -> int:
    """Sit down at the table that the arguments name.

    Raises LinkError, FolderError, JournalError, Malformed for a bad name, and BadRequest for an
    impossible address.
    """
    name = own_name(data_folder(), arguments.name)

    async def begin(local: NetworkNode, _seated_bots: SeatedBots) -> JoinedLobby:
        look_up = partial(find, local, arguments.target, TO_JOIN)
        return JoinedLobby(local, name, look_up, display.ready)

    return play_session(arguments, display, settings, begin)


def can_be_joined(beacon: Beacon) -> bool:
    """Return True for a table that has not begun, or that has a free seat in its match."""
    return not beacon.begun or beacon.free > 0


def _full(beacon: Beacon) -> Sentence:
    """Return the reason why a table cannot be joined."""
    full = Sentence("The match at “{table}” has begun, and no seat is free.", table=beacon.table)
    if not beacon.spectators:
        return full
    watching = f"sobremesa watch {typed_way_to(beacon)}"
    return Sentence("{why} You can look on: {command}", why=full, command=watching)


TO_JOIN = Wanted(
    can_be_joined,
    Sentence(
        "No open table was found on this network. If there is one, join it by its address: "
        "sobremesa join HOST:PORT. sobremesa doctor says more."
    ),
    _full,
)
"""The search for a table that can be joined."""
