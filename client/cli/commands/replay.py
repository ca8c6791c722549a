"""`sobremesa replay FILE`: step through a record, forwards and back, from any seat's view."""

import argparse
from collections.abc import Iterable, Iterator
from pathlib import Path

from client.cli import record_command_helpers
from client.errors import BadRequest
from client.i18n.language import _
from client.reports.words import verdict
from client.ui.html.replay_page import replay_page
from client.ui.model.replay import Moment, Replay, Teller, Viewer
from client.ui.text.console import Console
from client.ui.tui.replay.cursor import ReplayCursor
from client.ui.tui.replay.screen import ReplayScreen
from client.ui.tui.terminal.run_alone import run_alone
from client.ui.tui.toolkit.terminal_look import TerminalLook
from protocol.entries import UnlockContent


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar=_("FILE"), help=_("the record to look at"))
    parser.add_argument(
        "--seat", metavar=_("NAME"), help=_("see what this player saw, not all that was opened")
    )
    about = _("write a page that plays the match; with --seat it has only what that player saw")
    record_command_helpers.add_ways_to_show(parser, about)


def run(arguments: argparse.Namespace) -> int:
    """Show the record, and return the exit code of its audit.

    Raises RecordError for a file that cannot be read or written, BadRequest for an unknown seat and
    for a page that would be empty or too large, and Interrupted.
    """
    console = Console()
    replay = record_command_helpers.replay_of(arguments.file, console, arguments.html)
    viewer = record_command_helpers.viewer_named(arguments.seat, replay.sitters)

    def screen(look: TerminalLook) -> None:
        cursor = ReplayCursor(replay, replay.first_with_cards, viewer)
        run_alone(ReplayScreen(cursor, look).application())

    record_command_helpers.show(
        arguments,
        console,
        lambda: _page(replay, viewer, console),
        lambda: plain_lines(replay, viewer, symbols=console.symbols),
        screen if replay.moments else None,
    )
    return record_command_helpers.exit_code(replay.report)


def _page(replay: Replay, viewer: Viewer, console: Console) -> Iterable[str]:
    if not replay.moments:
        raise BadRequest("There is nothing to play: {verdict}", verdict=verdict(replay.report))
    viewers = (None, *range(replay.players)) if viewer is None else (viewer,)
    return replay_page(replay, viewers, console.progress)


def plain_lines(replay: Replay, viewer: Viewer, *, symbols: bool) -> Iterator[str]:
    """Return a line for each moment, the hands after each deal, and the sheet after each round."""
    teller = Teller(viewer, symbols)
    deal: int | None = None
    for moment in replay.moments:
        if moment.deal_number != deal:
            deal = moment.deal_number
            yield replay.title(moment)
        yield f"{moment.number:>6}  {teller.sentence(moment)}."
        yield from _hands(moment, teller)
        yield from ("", *moment.sheet, "") if moment.sheet else ()
    yield verdict(replay.report)


def _hands(moment: Moment, teller: Teller) -> Iterator[str]:
    """Return a line for each hand that the viewer sees; no lines if no hands were just dealt."""
    content = moment.after.last.content if moment.after.last else None
    old, new = moment.before.match, moment.after.match
    if not isinstance(content, UnlockContent) or old.round is None or any(old.round.hands):
        return
    for player, member in enumerate(moment.after.charter.members):
        if teller.viewer in (None, player):
            hand = teller.cards(moment.hand(new.seat_of(player), teller.viewer))
            yield f"        {member.name}: {hand}"
