"""The argument for house rules, `--option name=value`."""

import argparse
from collections.abc import Iterable

from client.i18n.language import _
from engine.errors import InvalidOption
from engine.game import Game
from engine.options import Options

_YES = ("yes", "on", "true", "sí", "si", "sim")
_NO = ("no", "off", "false", "não", "nao")


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
            "Option {name} is yes, no or a number, not {value}.", name=name, value=repr(value)
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
