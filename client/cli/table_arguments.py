"""The arguments that describe a table, with the same name and meaning in all commands."""

import argparse

from client.bots.levels import LEVELS
from client.cli.spelling_suggestions import add_choice
from client.i18n.language import _
from engine.games import GAMES


def add_game(parser: argparse.ArgumentParser, usual: str | None = None) -> None:
    """Add `--game`."""
    add_choice(parser, "--game", tuple(GAMES), _("the game"), usual)


def add_players(parser: argparse.ArgumentParser) -> None:
    """Add `--players`."""
    parser.add_argument("--players", type=int, metavar="N", help=_("how many play"))


def add_level(parser: argparse.ArgumentParser, usual: str | None = None) -> None:
    """Add `--level`."""
    add_choice(parser, "--level", LEVELS, _("how well the opponents play"), usual)
