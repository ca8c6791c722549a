"""`sobremesa rules GAME`: the rules for reading, as the table plays them."""

import argparse

from client.cli.shared_arguments import add_house_rules, options_from
from client.i18n.language import _
from client.i18n.rulebook.text import clause, common_rules, option_lines, rules
from client.ui.text.console import Console
from engine.games import GAMES, game_named


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", choices=tuple(GAMES), help=_("which game"))
    add_house_rules(parser)
    parser.add_argument("--clause", metavar=_("NUMBER"), help=_("only this clause, such as C26"))


def run(arguments: argparse.Namespace) -> int:
    """Raises InvalidOption for an option that does not exist, BadRequest for such a clause."""
    game = game_named(arguments.game)
    options = options_from(game, arguments.option)
    console = Console()
    if arguments.clause:
        console.line(clause(game, options, arguments.clause))
        return 0
    console.line(rules(game, options))
    console.line(common_rules(options))
    console.line("## " + _("Options of this table") + "\n")
    for line in option_lines(game, options):
        console.line(line)
    return 0
