"""`sobremesa host`: open a table, and play at it."""

import argparse
import os

from client.cli.shared_arguments import add_playing, display_of, play_session, settings_of
from client.cli.table_arguments import add_game, add_house_rules, add_players, options_from
from client.i18n.language import _
from client.session.display.display_interface import SessionDisplay
from client.session.hosted_lobby import Admission, HostedLobby, usual_title
from client.session.network_node import NetworkNode, own_name
from client.session.seated_bots import SeatedBots
from client.settings import Settings
from engine.errors import InvalidOption
from engine.games import game_named
from p2p.discovery.beacon import title_of
from p2p.storage.private_files import data_folder
from p2p.transport.lobby_messages import Terms
from protocol.charter import LEAST_GRACE, MOST_GRACE, USUAL_GRACE


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    add_players(parser)
    parser.add_argument(
        "--opponents",
        type=int,
        default=0,
        metavar="K",
        help=_("how many of the players are opponents, played by the program"),
    )
    parser.add_argument("--name", help=_("your name at the table"))
    parser.add_argument("--table", help=_("the name of the table"))
    add_house_rules(parser)
    parser.add_argument(
        "--grace",
        type=int,
        default=USUAL_GRACE,
        metavar=_("SECONDS"),
        help=_("how long the others wait for a silent player, {least} to {most}").format(
            least=LEAST_GRACE, most=MOST_GRACE
        ),
    )
    parser.add_argument(
        "--spectators", action="store_true", help=_("others on this network may watch")
    )
    parser.add_argument(
        "--known-only", action="store_true", help=_("only for players who have sat here before")
    )
    parser.add_argument(
        "--open", action="store_true", help=_("let strangers sit down without asking you")
    )
    add_playing(parser)


def run(arguments: argparse.Namespace) -> int:
    """Open a table. Raises the errors of `play`, and FolderError."""
    settings = settings_of(arguments)
    return play(arguments, display_of(arguments, settings), settings)


def play(arguments: argparse.Namespace, display: SessionDisplay, settings: Settings) -> int:
    """Open the table that the arguments ask for.

    Raises InvalidOption, FolderError, JournalError, Malformed for a bad name.
    """
    name = own_name(data_folder(), arguments.name)
    terms = _terms(arguments, settings)
    opponents = arguments.opponents
    if not 0 <= opponents < terms.seats:
        raise InvalidOption(
            "At a table of {seats}, 0 to {most} players can be opponents, played by the program.",
            seats=terms.seats,
            most=terms.seats - 1,
        )

    async def begin(local: NetworkNode, seated_bots: SeatedBots) -> HostedLobby:
        admission = Admission(opponents, arguments.known_only, arguments.open)
        return HostedLobby(local, seated_bots, name, terms, admission, display.ready)

    return play_session(arguments, display, settings, begin)


def _terms(arguments: argparse.Namespace, settings: Settings) -> Terms:
    """Return the terms of the table; the settings name the game if the arguments do not.

    Raises InvalidOption, and Malformed for an impossible name of the table.
    """
    game = game_named(arguments.game or settings.game)
    title = title_of(arguments.table) if arguments.table else usual_title(game, os.urandom(8))
    options = options_from(game, arguments.option)
    seats = arguments.players or game.usual_players
    terms = Terms(title, game, options, seats, arguments.grace, arguments.spectators)
    terms.check()
    return terms
