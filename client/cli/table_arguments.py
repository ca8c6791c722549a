"""The arguments that describe a table: game, players, level, and house rules (`--option`)."""

import argparse
from collections.abc import Iterable

from client.cli.spelling_suggestions import add_choice
from client.i18n.language import _
from engine.errors import InvalidOption
from engine.game import Game
from engine.games import GAMES
from engine.options import Options

_YES = ("yes", "on", "true", "sí", "si", "sim")
_NO = ("no", "off", "false", "não", "nao")


def add_game(parser: argparse.ArgumentParser, usual: str | None = None) -> None:
    """Add `--game`."""
    add_choice(parser, "--game", tuple(GAMES), _("the game"), usual)


def add_players(parser: argparse.ArgumentParser) -> None:
    """Add `--players`."""
    parser.add_argument("--players", type=int, metavar="N", help=_("how many play"))


def add_level(parser: argparse.ArgumentParser, usual: str | None = None) -> None:
    """Add `--level`."""
    from client.bots.levels import LEVELS  # noqa: PLC0415 - slow, and rules have no opponents

    add_choice(parser, "--level", LEVELS, _("how well the opponents play"), usual)


def options_from(game: Game, words: Iterable[str]) -> Options:
    """Return the options of `game` with house rules typed as `name=value`. Raises InvalidOption."""
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
            "The value of option {name} must be yes, no or a number, not {value}.",
            name=name,
            value=repr(value),
        ) from None


def add_house_rules(parser: argparse.ArgumentParser) -> None:
    """Add the argument `--option` for house rules."""
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar=_("NAME=VALUE"),
        help=_("a house rule (may be given several times)"),
    )
