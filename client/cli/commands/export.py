"""`sobremesa export FILE`: a record as text, which people can read and the referee replays."""

import argparse
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from client.cli.record_command_helpers import exit_code, replay_of
from client.i18n.language import _
from client.record_files import RecordError, write_new
from client.reports.model import AuditReport, PlayerReport, TableReport
from client.reports.words import reason
from client.ui.model.replay import Moment, Replay
from client.ui.text.console import Console
from engine.notation.game_text import GameText, RoundText, check_game, format_game, round_text
from engine.notation.position_writer import option_text
from protocol.entries import MoveContent


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar=_("FILE"), help=_("a record"))
    parser.add_argument(
        "-o",
        "--out",
        type=Path,
        metavar=_("OUT"),
        help=_("write the text to this file, which must not exist yet"),
    )


def run(arguments: argparse.Namespace) -> int:
    """Export the record, and return the exit code of its audit.

    Raises RecordError for a file that cannot be read or written.
    """
    console = Console()
    replay = replay_of(arguments.file, console, arguments.out)
    text = format_game(_game_text(replay))
    if arguments.out is None:
        for line in text.splitlines():
            console.exactly(line)
    else:
        write_new(arguments.out, [text.encode()])
        console.line(_("The game is in {path}.").format(path=arguments.out))
    return exit_code(replay.report)


def _game_text(replay: Replay) -> GameText:
    """Return the game in a record: the table, the verdict, and the rounds that were played.

    Raises RecordError for a record without a table, or if the text would not replay.
    """
    report = replay.report
    if report.table is None:
        raise RecordError(
            "There is no table in this record. {reason}", reason=reason(report.conclusion)
        )
    verdict = report.conclusion.verdict.value
    notes = (*_table(report.table), *_continuations(report), ("verdict", verdict))
    game = GameText(notes, tuple(_rounds(replay)))
    for ruling in check_game(format_game(game)) if game.rounds else ():
        raise RecordError(
            "The text does not replay at its line {line}: {text}",
            line=ruling.line,
            text=ruling.text,
        )
    return game


def _table(table: TableReport) -> Iterator[tuple[str, str]]:
    yield "game", table.title
    yield "table", f"{table.table_id.hex()} ({' '.join(table.words)})"
    for name, value in table.options:
        yield "option", f"{name} {option_text(value)}"
    for player in table.players:
        yield "player", _player(player)


def _player(player: PlayerReport) -> str:
    seat = "no seat" if player.seat is None else f"seat {player.seat + 1}"
    return f"{seat}: {player.name}, key {player.key.hex()} ({' '.join(player.words)})"


def _continuations(report: AuditReport) -> Iterator[tuple[str, str]]:
    """Return notes on continuations: the absent players, the signers and the substitutes."""
    for one in report.rounds:
        for each in one.continuations:
            stands = "hand closed" if each.closed else "void" if one.void else "counted"
            when = f"round {one.number}, {stands}, entry {each.entry}"
            signers = ", ".join(player.name for player in each.signers)
            for place, player in enumerate(each.players):
                new = each.substitutes[place].name if each.substitutes else "nobody"
                sitting = _player(one.players[player])
                yield "absent", f"{when}: {sitting}; signed by {signers}; followed by {new}"


def _rounds(replay: Replay) -> Iterator[RoundText]:
    for deal, group in groupby(replay.moments, lambda moment: moment.deal_number):
        moments = list(group)
        if number := moments[0].round_number:
            void = ", void" if deal in replay.void else ""
            yield _round(f"Round {number}{void}", moments)


def _round(name: str, moments: list[Moment]) -> RoundText:
    match = moments[0].before.match
    start = match.game.position.start(match.options, match.players, match.dealer, match.totals)
    contents = [moment.after.last.content for moment in moments if moment.after.last]
    moves = [content.move for content in contents if isinstance(content, MoveContent)]
    played = [state.match.round for one in moments for state in (one.before, one.after)]
    closed = {seat for position in filter(None, played) for seat in position.closed}
    return round_text(name, start, moves, moments[0].faces, closed)
