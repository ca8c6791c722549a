"""`sobremesa export FILE`: a record as text to read, which the referee replays."""

import argparse
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from client.commands.audit import bar, exit_code
from client.records import RecordError, write_record
from client.replaying.moments import Moment, Replay
from client.report.model import TableReport
from client.telling.console import Console
from engine.game_text import GameText, RoundText, check_game, format_game, round_text
from engine.position_text import option_text
from protocol.entries import MoveContent


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help="a record")
    parser.add_argument(
        "-o", "--out", type=Path, metavar="OUT", help="write the text there; it must not exist yet"
    )


def run(arguments: argparse.Namespace) -> int:
    """The exit code of the audit, for a record is checked while it is read.

    Raises RecordError for what cannot be read or written.
    """
    console = Console()
    replay = Replay.load(arguments.file, lambda now: console.progress(bar(now)))
    console.clear()
    text = format_game(game_text(replay))
    if arguments.out is None:
        for line in text.splitlines():
            console.line(line)
    else:
        write_record(arguments.out, [text.encode()])
        console.line(f"The game is in {arguments.out}.")
    return exit_code(replay.report)


def game_text(replay: Replay) -> GameText:
    """The game of a record: the table, the verdict, and the rounds as far as they were played.

    Raises RecordError for a record without a table, or if the text would not replay.
    """
    report = replay.report
    if report.table is None:
        raise RecordError(f"There is no table in this record. {report.conclusion.sentence}")
    notes = (*_table(report.table), ("verdict", report.conclusion.verdict.value))
    game = GameText(notes, tuple(_rounds(replay)))
    for ruling in check_game(format_game(game)) if game.rounds else ():
        raise RecordError(f"The text does not replay at its line {ruling.line}: {ruling.text}")
    return game


def _table(table: TableReport) -> Iterator[tuple[str, str]]:
    yield "game", table.title
    yield "table", f"{table.table_id.hex()} ({' '.join(table.words)})"
    for name, value in table.options:
        yield "option", f"{name} {option_text(value)}"
    for player in table.players:
        seat = "no seat" if player.seat is None else f"seat {player.seat + 1}"
        yield "player", f"{seat}: {player.name}, key {player.key.hex()} ({' '.join(player.words)})"


def _rounds(replay: Replay) -> Iterator[RoundText]:
    for number, group in groupby(replay.moments, lambda moment: moment.round_number):
        if number:
            yield _round(number, list(group))


def _round(number: int, moments: list[Moment]) -> RoundText:
    match = moments[0].before.match
    start = match.game.position.start(match.options, match.players, match.dealer, match.totals)
    contents = [moment.after.last.content for moment in moments if moment.after.last]
    moves = [content.move for content in contents if isinstance(content, MoveContent)]
    return round_text(f"Round {number}", start, moves, moments[0].faces)
