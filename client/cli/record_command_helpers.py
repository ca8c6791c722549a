"""The shared parts of commands that read a record: arguments, audit, the player's name."""

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from client.errors import BadRequest
from client.i18n.language import _, with_and
from client.record_files import check_new, write_new
from client.reports.model import AuditReport
from client.settings import load_settings
from client.ui.model.replay import Replay, Viewer
from client.ui.text.console import Console
from client.ui.tui.toolkit.terminal_look import TerminalLook
from engine.sentences import N_
from p2p.storage.private_files import data_folder

EXIT_SOUND, EXIT_UNSOUND, EXIT_UNREADABLE = range(3)


def add_page(parser: argparse._ActionsContainer, about: str | None = None) -> None:
    """Add `--html`, for the file of a page."""
    usual = _("write a page to look at; it needs no network")
    parser.add_argument("--html", type=Path, metavar=_("OUT"), help=about or usual)


def write_page(path: Path, parts: Iterable[str], console: Console) -> None:
    """Write a page, and name its path on standard error. Raises RecordError.

    The progress that the console may have shown meanwhile is cleared.
    """
    write_new(path, (part.encode() for part in parts))
    console.clear()
    Console(sys.stderr).line(_("The page is in {path}.").format(path=path))


def add_ways_to_show(parser: argparse.ArgumentParser, about_page: str | None = None) -> None:
    """Add `--plain` and `--html`, of which only one can be given; `show` obeys it."""
    ways = parser.add_mutually_exclusive_group()
    ways.add_argument("--plain", action="store_true", help=_("print all of it, without a screen"))
    add_page(ways, about_page)


def show(
    arguments: argparse.Namespace,
    console: Console,
    page: Callable[[], Iterable[str]],
    lines: Callable[[], Iterable[str]],
    screen: Callable[[TerminalLook], None] | None,
) -> None:
    """Write the page that the person asks for, or else print lines or show the screen.

    Lines are printed if the person wants them, if there is no terminal, or if `screen` is None.
    Raises RecordError, and Interrupted.
    """
    settings = load_settings(data_folder()).settings
    has_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    if arguments.html:
        write_page(arguments.html, page(), console)
    elif screen is None or arguments.plain or settings.linear or not has_terminal:
        for line in lines():
            console.line(line)
    else:
        screen(TerminalLook.of(settings))


def replay_of(path: Path, console: Console, out: Path | None = None) -> Replay:
    """Load and audit a record, with a progress bar.

    Raises RecordError, also if no new file can be written at `out`; then nothing is loaded.
    """
    if out:
        check_new(out)
    replay = Replay.load(path, console.progress)
    console.clear()
    return replay


def exit_code(report: AuditReport) -> int:
    """Return the exit code for the audit of one record."""
    return EXIT_SOUND if report.sound else EXIT_UNSOUND


def viewer_named(name: str | None, sitters: Sequence[Sequence[str]]) -> Viewer:
    """Return the player that `player_named` returns; None for no name. Raises BadRequest."""
    return None if name is None else player_named(name, sitters)


def player_named(name: str, sitters: Sequence[Sequence[str]]) -> int:
    """Return the player with a name, or with a number as text, counted from 1.

    Raises BadRequest if no player, or more than one, has the name.
    """
    if not sitters:
        raise BadRequest("Nobody sits at this table.")
    places = [f"{place}" for place in range(1, len(sitters) + 1)]
    if name in places:
        return places.index(name)
    found = [
        player
        for player, names in enumerate(sitters)
        if name.casefold() in (one.casefold() for one in names)
    ]
    if len(found) == 1:
        return found[0]
    there = with_and(
        f"{' / '.join(names)} ({place})" for names, place in zip(sitters, places, strict=True)
    )
    none = N_("Nobody at this table is called {name}. The players, with their numbers: {players}.")
    many = N_("More than one player is called {name}. The players, with their numbers: {players}.")
    text = many if found else none
    raise BadRequest(text, name=name, players=there)
