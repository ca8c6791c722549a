"""`sobremesa learn GAME`: a first lesson at the table, step by step."""

import argparse
from collections.abc import Callable, Sequence
from functools import partial

import trio

from client.cli.last_sentence import print_last
from client.cli.spelling_suggestions import one_of
from client.errors import BadRequest
from client.i18n.language import _
from client.i18n.sentences import said
from client.lessons.lesson import read_lesson, taught
from client.lessons.lesson_sitting import ShowLesson, attend
from client.session.ending_signals import Interrupted
from client.session.run_until_signal import until_signalled
from client.settings import for_this_time, load_settings
from client.ui.session_displays import PersonDisplay, show_table
from client.ui.tui.toolkit.terminal_look import TerminalLook
from engine.game import Game
from engine.games import GAMES, game_named
from p2p.storage.private_files import data_folder


def add_arguments(parser: argparse.ArgumentParser) -> None:
    games = tuple(game.name for game in taught())
    about = _("which game")
    parser.add_argument("game", nargs="?", type=_with_lesson(games), choices=games, help=about)
    parser.add_argument("--linear", action="store_true", help=_("lines instead of a full screen"))
    parser.add_argument(
        "--again", action="store_true", help=_("from the beginning, not where you left it")
    )


def _with_lesson(games: Sequence[str]) -> Callable[[str], str]:
    """Return the `type` of an argument whose `choices` are `games`, the games with a lesson."""
    read = one_of(games)

    def read_known(word: str) -> str:
        if word in GAMES and word not in games:
            raise argparse.ArgumentTypeError(said(_no_lesson(game_named(word))))
        return read(word)

    return read_known


def _no_lesson(game: Game) -> BadRequest:
    return BadRequest("There is no lesson of {game} yet.", game=game.title)


def run(arguments: argparse.Namespace) -> int:
    """Give the lesson.

    Raises FolderError and OSError, and BadRequest if the game of the settings has no lesson.
    """
    settings = for_this_time(load_settings(data_folder()).settings, linear=arguments.linear)
    game = game_named(arguments.game or settings.game)
    if game not in taught():
        raise _no_lesson(game)
    look, lesson = TerminalLook.of(settings), read_lesson(game)
    given = partial(attend, lesson, settings, data_folder(), showing(look), again=arguments.again)
    try:
        with PersonDisplay(look).hold_screen():
            learnt = trio.run(until_signalled, given)
    except Interrupted:
        learnt = False
    if learnt:
        told, command = _("That was the lesson. To play: {command}"), f"solo --game {game.name}"
    else:
        told = _("The lesson waits where you left it. Go on with: {command}")
        command = f"learn {game.name}"
    print_last(told.format(command=f"sobremesa {command}"))
    return 0


def showing(look: TerminalLook) -> ShowLesson:
    """Return a function that shows a lesson on this terminal."""
    return lambda seat: show_table(seat, look, lesson=lambda: seat.note)
