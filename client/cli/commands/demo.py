"""`sobremesa demo`: a game of computer opponents on this machine, with a real deal and record.

Every seat is a node with its own identity, journal and sockets; nothing is faked.
"""

import argparse
import tempfile
from functools import partial
from pathlib import Path

import trio
from attrs import evolve

from client.bots.runner import opponent_at_table, sit_in
from client.cli import table_arguments
from client.cli.record_command_helpers import exit_code
from client.i18n.language import _
from client.record_files import new_record_path, write_new
from client.reports.auditing import audit_file
from client.reports.text import verdict_lines
from client.session.loopback_table import loopback_table
from client.session.run_until_signal import until_signalled
from client.session.table import opening_lines
from client.ui.linear.bot_table import show_bot_table
from client.ui.text.console import Console
from engine.game import Game
from engine.games import game_named
from engine.options import Options

NAMES = ("Ana", "Bruno", "Carla", "Diego", "Elena", "Fermín")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    table_arguments.add_game(parser, "canasta")
    table_arguments.add_players(parser)
    table_arguments.add_house_rules(parser)
    parser.add_argument("--match", action="store_true", help=_("a whole match, not only one round"))
    table_arguments.add_level(parser, "middle")
    parser.add_argument(
        "--seed", type=int, help=_("makes the opponents' choices repeatable, but not the shuffle")
    )
    parser.add_argument("--record", type=Path, metavar=_("FILE"), help=_("where the record goes"))


def run(arguments: argparse.Namespace) -> int:
    """Play the match, audit its record, and return the exit code of the audit.

    Raises InvalidOption for an impossible option or number of players, and RecordError.
    """
    game = game_named(arguments.game)
    players = arguments.players or game.usual_players
    game.check_players(players)
    options = table_arguments.options_from(game, arguments.option)
    if not arguments.match and options.rounds == game.options().rounds:
        options = evolve(options, rounds=1)
    path = new_record_path(arguments.record, game.name)
    console = Console()
    trio.run(until_signalled, partial(_play, game, options, players, path, arguments, console))
    console.line(
        _("All {players} records are the same; one of them is this file: {path}").format(
            players=players, path=path
        )
    )
    report = audit_file(path, console.progress)
    for line in verdict_lines(report):
        console.line(line)
    return exit_code(report)


async def _play(
    game: Game,
    options: Options,
    players: int,
    path: Path,
    arguments: argparse.Namespace,
    console: Console,
) -> None:
    """Let opponents play on all nodes until all have signed the end, then write the record."""
    with tempfile.TemporaryDirectory(prefix="sobremesa-demo-") as folder:
        async with loopback_table(game, options, NAMES[:players], Path(folder)) as nodes:
            for line in opening_lines(nodes[0], alone=True):
                console.line(line)
            console.line(_("Each is a node of its own: identity, journal, encrypted sockets."))
            async with trio.open_nursery() as nursery:
                nursery.start_soon(show_bot_table, nodes[0], console)
                for number, node in enumerate(nodes):
                    seed = None if arguments.seed is None else f"{arguments.seed} {number}"
                    choose = opponent_at_table(arguments.level, game.name, seed)
                    nursery.start_soon(sit_in, node, choose)
                    nursery.start_soon(node.run)
            heads = {node.state.head for node in nodes}
            if len(heads) != 1:
                raise RuntimeError("the nodes have come to different records")
            write_new(path, nodes[0].record())
