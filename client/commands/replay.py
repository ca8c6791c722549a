"""`sobremesa replay FILE`: steps through a record, forwards and back, from any seat's view."""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from client.commands.audit import bar, exit_code
from client.records import write_record
from client.replaying.head import Head
from client.replaying.moments import Moment, Replay, Teller, Viewer, notation
from client.replaying.screen import ReplayScreen
from client.report.model import RoundReport
from client.report.text import verdict
from client.screens.look import Look
from client.settings import load_settings
from client.telling.console import Console
from p2p.folders import data_folder
from protocol.entries import UnlockContent


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help="the record to look at")
    parser.add_argument(
        "--seat", metavar="NAME", help="see what this player saw, not all that was opened"
    )
    parser.add_argument("--plain", action="store_true", help="print all of it, without a screen")
    parser.add_argument(
        "--export", type=Path, metavar="OUT", help="write the moves as text (spec/notation.md)"
    )


def run(arguments: argparse.Namespace) -> int:
    """The exit code of the audit, for a record is checked while it is read.

    Raises RecordError for what cannot be read or written, and ValueError for an unknown seat.
    """
    console = Console()
    replay = Replay.load(arguments.file, lambda now: console.progress(bar(now)))
    console.clear()
    viewer = viewer_named(arguments.seat, replay.names)
    settings = load_settings(data_folder()).settings
    if arguments.export:
        text = "".join(f"{line}\n" for line in export_lines(replay))
        write_record(arguments.export, [text.encode()])
        console.line(f"The moves are in {arguments.export}.")
    elif arguments.plain or settings.linear or not replay.moments or not _has_terminal():
        for line in plain_lines(replay, viewer, symbols=console.symbols):
            console.line(line)
    else:
        look = Look.of(settings)
        screen = ReplayScreen(Head(replay, viewer=viewer), look.glyphs)
        screen.application(look.style, look.colours).run()
    return exit_code(replay.report)


def viewer_named(name: str | None, names: tuple[str, ...]) -> Viewer:
    """The player of that name (or number, from 1 on); None for no name. Raises ValueError."""
    if name is None:
        return None
    places = [f"{number}" for number in range(1, len(names) + 1)]
    if name in places:
        return places.index(name)
    found = [player for player, one in enumerate(names) if one.casefold() == name.casefold()]
    if len(found) == 1:
        return found[0]
    there = ", ".join(f"{one} ({place})" for one, place in zip(names, places, strict=True))
    many = "More than one player is" if found else "Nobody at this table is"
    raise ValueError(f"{many} called {name}. There are, with their numbers: {there}.")


def plain_lines(replay: Replay, viewer: Viewer, *, symbols: bool) -> Iterator[str]:
    """Everything that happened, a line each; hands after a deal, and the sheets of rounds."""
    teller = Teller(viewer, symbols)
    deal: int | None = None
    for moment in replay.moments:
        if moment.deal_number != deal:
            deal, number = moment.deal_number, moment.round_number
            yield f"Round {number}" if number else "The draw for seats"
        yield f"{moment.height:>6}  {teller.sentence(moment)}."
        yield from _hands(moment, replay, teller)
        yield from ("", *moment.sheet, "") if moment.sheet else ()
    yield verdict(replay.report)


def _hands(moment: Moment, replay: Replay, teller: Teller) -> Iterator[str]:
    """The hands that the viewer sees, when they have just been dealt."""
    content = moment.after.last.content if moment.after.last else None
    old, new = moment.before.match, moment.after.match
    if not isinstance(content, UnlockContent) or old.round is None or any(old.round.hands):
        return
    for player, name in enumerate(replay.names):
        if teller.viewer in (None, player):
            yield f"        {name}: {teller.cards(moment.hand(new.seat_of(player), teller.viewer))}"


def export_lines(replay: Replay) -> Iterator[str]:
    """The record to read and to search: the table, then each move in the notation of moves with
    the number of its entry and who made it.
    """
    table, end = replay.report.table, replay.report.conclusion
    yield f"# Verdict: {end.verdict.value}"
    if table is None:
        return
    yield f"# Table: {table.table_id.hex()}"
    yield f"# Game: {table.game}"
    yield f"# Options: {' '.join(f'{name}={value}' for name, value in table.options)}"
    for place, player in enumerate(table.players, start=1):
        yield f"# Player {place}: {player.key.hex()} {player.name}"
    rounds = {one.deals[0].number: one for one in replay.report.rounds}
    deal: int | None = None
    for moment in replay.moments:
        move = notation(moment)
        if move is None:
            continue
        if moment.deal_number != deal:
            deal = moment.deal_number
            yield _round_line(rounds[deal])
        assert moment.after.last is not None
        yield f"{moment.height} {moment.after.last.writer + 1} {move}"


def _round_line(one: RoundReport) -> str:
    dealer = "unknown" if one.dealer is None else one.dealer + 1
    points = " ".join(map(str, one.sheet.sheet.totals)) if one.sheet else "not counted"
    return f"# {one.title}: dealer {dealer}, points {points}"


def _has_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()
