"""Arguments that several commands share, and the objects made from them."""

import argparse

from client.bots.runner import PACES
from client.cli.spelling_suggestions import add_choice
from client.cli.table_arguments import add_level
from client.i18n.language import _
from client.session.absence_policy import IfAbsent
from client.session.display.display_interface import SessionDisplay
from client.session.run import Begin, ListenAt, run_session
from client.session.run_until_signal import run_trio
from client.session.seated_bots import BotSettings
from client.session.table import TablePolicy
from client.settings import Settings, for_this_time, load_settings
from client.ui.session_displays import PersonDisplay, ProgramDisplay
from client.ui.text.console import Console
from client.ui.tui.toolkit.terminal_look import TerminalLook
from p2p.storage.private_files import data_folder


def add_playing(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of commands that play with other people."""
    parser.add_argument("--port", type=port_number, help=_("the port at which to listen"))
    parser.add_argument(
        "--anywhere", action="store_true", help=_("also accept connections from other networks")
    )
    parser.add_argument("--linear", action="store_true", help=_("lines instead of a full screen"))
    parser.add_argument("--autoplay", action="store_true", help=_("an opponent plays for you"))
    add_level(parser)
    parser.add_argument(
        "--seed",
        type=int,
        help=_("with --autoplay: makes the opponent's choices repeatable, but not the shuffle"),
    )
    add_choice(
        parser,
        "--if-absent",
        tuple(choice.value for choice in IfAbsent),
        _("with --autoplay: what to agree on when a player stays away"),
        IfAbsent.WAIT.value,
    )


def settings_of(arguments: argparse.Namespace) -> Settings:
    """Return the person's settings, overridden by the arguments of `add_playing`.

    Raises FolderError.
    """
    settings = load_settings(data_folder()).settings
    return for_this_time(settings, linear=arguments.linear, level=arguments.level)


def display_of(arguments: argparse.Namespace, settings: Settings) -> SessionDisplay:
    """Return the display for a person, or with --autoplay for a program."""
    if arguments.autoplay:
        return ProgramDisplay(Console(), settings.level, arguments.seed)
    return PersonDisplay(TerminalLook.of(settings))


def play_session(
    arguments: argparse.Namespace, display: SessionDisplay, settings: Settings, begin: Begin
) -> int:
    """Run a session with other people as the arguments say, and return its exit code.

    With --autoplay, `--if-absent` says what to wish for if a player is absent. Raises the errors of
    `run_session`, and Interrupted.
    """
    policy = TablePolicy(BotSettings(settings.level, PACES[settings.pace]))
    if arguments.autoplay:
        policy = TablePolicy(BotSettings(settings.level), IfAbsent(arguments.if_absent))
    listen_at = ListenAt(arguments.port, arguments.anywhere)
    return run_trio(run_session, data_folder(), listen_at, display, policy, begin)


def port_number(word: str) -> int:
    """Return a typed TCP port, or raise argparse's error."""
    if not word.isascii() or not word.isdecimal() or not 1 <= int(word) <= 65535:
        raise argparse.ArgumentTypeError(_("a port is a number from 1 to 65535"))
    return int(word)
