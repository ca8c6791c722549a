"""`sobremesa solo`: the person sits down against opponents at once, over the real protocol."""

import argparse
import random
import secrets
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

import trio
from attrs import evolve

from client.attend import Attendant
from client.language import _, choose_language
from client.linear.table import LinearTable
from client.linear.typed import typed_lines
from client.local_table import local_table
from client.opponents.easy import choose
from client.opponents.sitting import Chooser, sit_in
from client.settings import LEVELS, Settings, load_settings
from client.table.glyphs import Glyphs, glyphs_for
from client.table.screen import TableScreen
from client.table.style import COLOURS, style_of
from client.terminal import Interrupted, ending_signals
from engine.games import GAMES, Game, game_named
from engine.moves import Move
from engine.position import Position, Step
from p2p.folders import data_folder
from p2p.node import Node

NAMES = ("Ana", "Bruno", "Carla", "Diego", "Elena", "Fermín", "Gloria")

_PACES = {"at once": 0.0, "quick": 0.3, "calm": 1.0}
"""Seconds for which an opponent thinks at least."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--game", choices=tuple(GAMES), help="the game")
    parser.add_argument("--players", type=int, metavar="N", help="how many sit at the table")
    parser.add_argument("--level", choices=LEVELS, help="how well the opponents play")
    parser.add_argument("--linear", action="store_true", help="lines instead of a full screen")
    parser.add_argument("--seed", type=int, help="fixes the opponents' choices, not the shuffle")


def run(arguments: argparse.Namespace) -> int:
    """Raises InvalidOption for a number of players that the game is not for, and FolderError."""
    loaded = load_settings(data_folder())
    settings = loaded.settings
    choose_language(settings.language)
    if loaded.trouble:
        print(loaded.trouble, file=sys.stderr)
    if arguments.level:
        settings = evolve(settings, level=arguments.level)
    if arguments.linear:
        settings = evolve(settings, linear=True)
    game = game_named(arguments.game or settings.game)
    players = arguments.players or game.usual_players
    game.check_players(players)
    seed = secrets.randbits(32) if arguments.seed is None else arguments.seed
    return play_solo(settings, game, players, seed)


def play_solo(settings: Settings, game: Game, players: int, seed: int) -> int:
    """Play until the person leaves; the exit code."""
    try:
        trio.run(_play, settings, game, players, seed)
    except* Interrupted:
        pass
    print(_("You have left the table. To play again: {command}").format(command="sobremesa solo"))
    return 0


async def _play(settings: Settings, game: Game, players: int, seed: int) -> None:
    others = [name for name in NAMES if name != settings.name][: players - 1]
    with tempfile.TemporaryDirectory(prefix="sobremesa-solo-") as folder:
        table = local_table(game, game.options(), (settings.name, *others), Path(folder))
        async with table as nodes, trio.open_nursery() as nursery:
            nursery.start_soon(ending_signals)
            for number, node in enumerate(nodes):
                nursery.start_soon(node.run)
                if number > 0:
                    rng = random.Random(f"{seed} {number}")
                    nursery.start_soon(sit_in, node, _paced(settings, partial(choose, rng=rng)))
            await _attend(nodes[0], settings)
            nursery.cancel_scope.cancel()


async def _attend(node: Node, settings: Settings) -> None:
    """Show the table of `node` until the person leaves it."""
    glyphs = glyphs_for(sys.stdout, symbols=settings.symbols, letters=settings.letters)
    display = _display(settings, glyphs)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(Attendant(node, display, glyphs.has_symbols).run)
        await display.run()
        nursery.cancel_scope.cancel()


def _display(settings: Settings, glyphs: Glyphs) -> LinearTable | TableScreen:
    if settings.linear or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return LinearTable(glyphs, typed_lines(sys.stdin.fileno()), _write)
    colours = COLOURS[settings.colours]
    style = style_of(settings.theme)
    return TableScreen(glyphs, style, colours=colours, bell=settings.bell)


def _write(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def _paced(settings: Settings, choose: Chooser) -> Chooser:
    """Like `choose`, but never so fast that a person cannot follow."""
    seconds = _PACES[settings.pace]

    def paced(view: Position) -> Move:
        if view.turn.step in (Step.OPEN, Step.DRAW):
            time.sleep(seconds)
        return choose(view)

    return paced
