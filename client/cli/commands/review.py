"""`sobremesa review FILE`: the costliest mistakes of a player in a record, judged by a search."""

import argparse
import sys
from pathlib import Path

from client.cli import record_command_helpers
from client.errors import BadRequest
from client.i18n.language import _
from client.reports.words import verdict
from client.settings import load_settings
from client.ui.html.review_page import review_page
from client.ui.model.game_review import GameReview, review_game
from client.ui.model.replay import Replay
from client.ui.text.console import Console
from client.ui.tui.replay.review_lines import review_lines, review_sentences
from client.ui.tui.terminal.run_alone import run_alone
from client.ui.tui.toolkit.dialogs import Reader, reader_application
from client.ui.tui.toolkit.glyphs import glyphs_for
from client.ui.tui.toolkit.terminal_look import TerminalLook
from p2p.storage.private_files import data_folder


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar=_("FILE"), help=_("the record of the game"))
    parser.add_argument(
        "--seat",
        metavar=_("NAME"),
        help=_("whose decisions are judged; yours if your name is there"),
    )
    parser.add_argument(
        "--round", type=int, metavar="N", help=_("only this round; by default all rounds")
    )
    record_command_helpers.add_ways_to_show(parser)


def run(arguments: argparse.Namespace) -> int:
    """Show the review, and return the exit code of the record's audit.

    Raises RecordError for a file that cannot be read or written, BadRequest for an unknown seat or
    round, ProcessesDied, OSError, and Interrupted.
    """
    console = Console()
    replay = record_command_helpers.replay_of(arguments.file, console, arguments.html)
    settings = load_settings(data_folder()).settings
    named = settings.name if arguments.seat is None else arguments.seat
    player = record_command_helpers.player_named(named, replay.sitters)
    if arguments.round is not None:
        check_round(replay, arguments.round)
    review = review_game(replay, player, arguments.round, console.progress)
    console.clear()
    glyphs = glyphs_for(sys.stdout, symbols=settings.symbols, letters=settings.letters)
    record_command_helpers.show(
        arguments,
        console,
        lambda: [review_page(review)],
        lambda: (*review_sentences(review, glyphs), verdict(replay.report)),
        lambda look: run_alone(reader_application(review_reader(review, look), look)),
    )
    return record_command_helpers.exit_code(replay.report)


def review_reader(review: GameReview, look: TerminalLook) -> Reader:
    """Return a reader of the review; a whole screen shows pictures of the tables, too."""
    title = _("Review: the game of {name}").format(name=review.name)
    sentences = list(review_sentences(review, look.glyphs))
    return Reader(title, sentences, lambda width: review_lines(review, look.glyphs, width))


def check_round(replay: Replay, wanted: int) -> None:
    """Check that the record has a round with this number. Raises BadRequest."""
    rounds = {moment.round_number for moment in replay.moments} - {0}
    if wanted not in rounds:
        raise BadRequest(
            "There is no round {number} in this record; it has {count}.",
            number=wanted,
            count=len(rounds),
        )
