"""Arguments that several commands share, and what they mean."""

import argparse
from collections.abc import Iterable

from attrs import evolve

from client.bots.levels import LEVELS
from client.bots.runner import PACES
from client.i18n.language import _
from client.session.absence_policy import IfAbsent
from client.session.bot_pool import BotSettings
from client.session.display import SessionDisplay
from client.session.table import TablePolicy
from client.settings import Settings, load_settings
from client.ui.person_or_program import PersonDisplay, ProgramDisplay
from client.ui.text.console import Console
from client.ui.tui.toolkit.terminal_look import TerminalLook
from engine.errors import InvalidOption
from engine.game import Game
from engine.options import Options
from p2p.storage.folders import data_folder

_YES = ("yes", "on", "true", "sí", "si", "sim")
_NO = ("no", "off", "false", "não", "nao")


def options_from(game: Game, words: Iterable[str]) -> Options:
    """The options of `game` with house rules typed as `name=value`. Raises InvalidOption."""
    return game.options.from_pairs(map(_pair, words))


def _pair(word: str) -> tuple[str, bool | int]:
    name, equals, value = word.partition("=")
    if not equals:
        raise InvalidOption("An option is written name=value, not {word}.", word=repr(word))
    if value.lower() in _YES + _NO:
        return name, value.lower() in _YES
    try:
        return name, int(value)
    except ValueError:
        raise InvalidOption(
            "Option {name} is yes, no or a number, not {value}.", name=name, value=repr(value)
        ) from None


def add_house_rules(parser: argparse.ArgumentParser) -> None:
    """The argument of commands that take options of a game."""
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar=_("NAME=VALUE"),
        help=_("a house rule (may be given several times)"),
    )


def add_playing(parser: argparse.ArgumentParser) -> None:
    """The arguments of commands that play with other people."""
    parser.add_argument("--linear", action="store_true", help=_("lines instead of a full screen"))
    parser.add_argument("--autoplay", action="store_true", help=_("an opponent plays for you"))
    parser.add_argument("--level", choices=LEVELS, help=_("how well the program's opponents play"))
    parser.add_argument(
        "--seed", type=int, help=_("with --autoplay: fixes its choices, not the shuffle")
    )
    parser.add_argument(
        "--if-absent",
        choices=[choice.value for choice in IfAbsent],
        default=IfAbsent.WAIT.value,
        help=_("with --autoplay: what to agree on when a player stays away"),
    )


def settings_of(arguments: argparse.Namespace) -> Settings:
    """The person's settings, with the arguments of `add_playing` instead where given.

    Raises FolderError.
    """
    settings = load_settings(data_folder()).settings
    linear = settings.linear or arguments.linear
    return evolve(settings, linear=linear, level=arguments.level or settings.level)


def display_of(arguments: argparse.Namespace, settings: Settings) -> SessionDisplay:
    """The display for a person, or with --autoplay for a program."""
    if arguments.autoplay:
        return ProgramDisplay(Console(), settings.level, arguments.seed)
    return PersonDisplay(TerminalLook.of(settings))


def policy_of(arguments: argparse.Namespace, settings: Settings) -> TablePolicy:
    """How bots play, and with --autoplay what is agreed on about absent players."""
    if arguments.autoplay:
        return TablePolicy(BotSettings(settings.level), IfAbsent(arguments.if_absent))
    return TablePolicy(BotSettings(settings.level, PACES[settings.pace]))


def port_number(word: str) -> int:
    """A TCP port as it is typed. Raises argparse's error for what is none."""
    if not word.isascii() or not word.isdecimal() or not 1 <= int(word) <= 65535:
        raise argparse.ArgumentTypeError(_("a port is a number from 1 to 65535"))
    return int(word)
