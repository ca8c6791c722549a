"""`sobremesa solo`: a person plays against opponents at once, over the real protocol."""

import argparse
import sys
from datetime import date
from functools import partial

import trio

from client.cli import table_arguments
from client.cli.last_sentence import left_sentence, print_last
from client.errors import BadRequest
from client.i18n.language import _
from client.session.ending_signals import Interrupted
from client.session.run_until_signal import until_signalled
from client.session.solo import Outcome, SoloTables, today
from client.session.solo_folder import unfinished
from client.settings import for_this_time, load_settings
from client.ui.session_displays import PersonDisplay
from client.ui.text.console import Console
from client.ui.tui.toolkit.terminal_look import TerminalLook
from engine.game import Game
from engine.games import game_named
from p2p.storage.private_files import data_folder


def add_arguments(parser: argparse.ArgumentParser) -> None:
    table_arguments.add_game(parser)
    table_arguments.add_players(parser)
    table_arguments.add_level(parser)
    table_arguments.add_house_rules(parser)
    parser.add_argument(
        "--deal",
        type=day_named,
        metavar=_("DATE"),
        help=_("the deal of a day, such as 2026-11-23 or today, with the same cards for everybody"),
    )
    parser.add_argument("--linear", action="store_true", help=_("lines instead of a full screen"))
    parser.add_argument(
        "--seed", type=int, help=_("makes the opponents' choices repeatable, but not the shuffle")
    )
    parser.add_argument(
        "--continue",
        action="store_true",
        dest="resume",
        help=_("go on at the table that you left last"),
    )


def run(arguments: argparse.Namespace) -> int:
    """Play at a table of opponents.

    Raises InvalidOption for an impossible option or number of players, FolderError, and BadRequest
    for arguments that do not go together or if there is no table to continue.
    """
    loaded = load_settings(data_folder())
    if loaded.trouble:
        Console(sys.stderr).line(loaded.trouble)
    settings = for_this_time(loaded.settings, linear=arguments.linear, level=arguments.level)
    game = game_named(arguments.game or settings.game)
    if arguments.deal is not None:
        check_deal(arguments, game)
    display = PersonDisplay(TerminalLook.of(settings))
    tables = SoloTables(settings, display.solo, arguments.seed)
    if arguments.resume:
        folders = unfinished()
        if not folders:
            raise BadRequest("There is no table to continue: start one without --continue.")
        play = partial(tables.continued, folders[0], display.restoring)
    elif arguments.deal is not None:
        play = partial(tables.of_the_day, game, arguments.deal)
    else:
        players = arguments.players or game.usual_players
        game.check_players(players)
        options = table_arguments.options_from(game, arguments.option)
        play = partial(tables.new, game, options, players)
    try:
        with display.hold_screen():
            outcome: Outcome | None = trio.run(until_signalled, play)
    except Interrupted:
        outcome = None
    print_last(outcome_sentence(outcome))
    return 0


def day_named(text: str) -> str:
    """Return a typed date in ISO 8601; "today" is the date of today.

    Raises ArgumentTypeError if the text is no date.
    """
    if text.casefold() in ("today", _("today").casefold()):
        return today()
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError as error:
        told = _("{text} is no date. Type it like this: 2026-11-23, or today.")
        raise argparse.ArgumentTypeError(told.format(text=ascii(text[:20])[1:-1])) from error


def check_deal(arguments: argparse.Namespace, game: Game) -> None:
    """Check that the arguments change nothing about the deal of a day. Raises BadRequest."""
    other = arguments.players not in (None, game.usual_players)
    if other or arguments.option or arguments.level or arguments.seed is not None:
        raise BadRequest(
            "The deal of a day is the same for everybody: with --deal only the game can be chosen."
        )


def outcome_sentence(outcome: Outcome | None) -> str:
    """Return the sentence on the record's path, or on how to continue the unfinished table."""
    if outcome is not None and outcome.record is not None:
        return _("The match is over. Its record is {path}.").format(path=outcome.record)
    return left_sentence()
