"""`sobremesa demo`: a table of opponents on this machine, dealt and recorded as among people.

Every seat is a node with its own identity, journal and sockets; nothing is faked.
"""

import argparse
import random
import secrets
import tempfile
from functools import partial
from pathlib import Path

import trio

from client.commands.audit import bar, exit_code
from client.opponents.easy import choose
from client.opponents.sitting import sit_in
from client.records import new_record_path, write_record
from client.report.auditing import audit_file
from client.report.text import verdict_lines
from client.seating.local_table import local_table
from client.seating.watch import watch
from client.telling.console import Console
from engine.games import GAMES, Game, game_named
from engine.options import Options
from p2p.node import Node

NAMES = ("Ana", "Bruno", "Carla", "Diego", "Elena", "Fermín")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--game", choices=tuple(GAMES), default="canasta")
    parser.add_argument("--players", type=int, metavar="N", help="how many sit down")
    parser.add_argument("--match", action="store_true", help="a whole match, not only one round")
    parser.add_argument("--seed", type=int, help="fixes the opponents' choices, not the shuffle")
    parser.add_argument("--record", type=Path, metavar="FILE", help="where the record goes")


def run(arguments: argparse.Namespace) -> int:
    """Raises InvalidOption for a number of players that the game is not for, and RecordError."""
    game = game_named(arguments.game)
    players = arguments.players or game.usual_players
    game.check_players(players)
    options = game.options() if arguments.match else game.options(rounds=1)
    path = new_record_path(arguments.record, game.name)
    seed = secrets.randbits(32) if arguments.seed is None else arguments.seed
    console = Console()
    trio.run(_play, game, options, NAMES[:players], seed, path, console)
    console.line(f"All {players} records are the same; one of them is this file: {path}")
    report = audit_file(path, lambda now: console.progress(bar(now)))
    for line in verdict_lines(report):
        console.line(line)
    return exit_code(report)


async def _play(
    game: Game,
    options: Options,
    names: tuple[str, ...],
    seed: int,
    path: Path,
    console: Console,
) -> None:
    with tempfile.TemporaryDirectory(prefix="sobremesa-demo-") as folder:
        async with local_table(game, options, names, Path(folder)) as nodes:
            console.line(f"{game.title}. At the table: {', '.join(names)}.")
            console.line("Each is a node of its own: identity, journal, encrypted sockets.")
            await _play_out(nodes, seed, console)
            heads = {node.state.head for node in nodes}
            if len(heads) != 1:
                raise RuntimeError("the nodes have come to different records")
            write_record(path, nodes[0].record())


async def _play_out(nodes: tuple[Node, ...], seed: int, console: Console) -> None:
    """Let opponents play on all nodes until the match is signed; show what node 0 sees."""
    async with trio.open_nursery() as nursery:
        nursery.start_soon(watch, nodes[0], console)
        for number, node in enumerate(nodes):
            rng = random.Random(f"{seed} {number}")
            nursery.start_soon(sit_in, node, partial(choose, rng=rng))
            nursery.start_soon(node.run)
