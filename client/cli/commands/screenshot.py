"""`sobremesa screenshot`: a picture of a table as SVG, or a recording in the asciicast format.

The program draws it itself. Opponents play, dealt as among people, with all proofs, and the view is
that of the first seat. The same seed gives the same cards, choices and pictures.
"""

import argparse
import random
from collections.abc import Callable
from functools import partial
from pathlib import Path

import trio
from attrs import define
from prompt_toolkit.application import create_app_session
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import DummyInput
from prompt_toolkit.output import DummyOutput

from client.bots.level import Chooser
from client.bots.levels import opponent
from client.cli.table_arguments import add_game, add_level, add_players
from client.cli.typed_words import add_choice
from client.errors import BadRequest, check_number
from client.i18n.language import LANGUAGES, _, choose_language
from client.session.display.snapshot import Snapshot
from client.session.display.table_history import TableHistory
from client.session.in_memory_table import InMemoryTable
from client.session.signals import until_signalled
from client.session.solo import NAMES
from client.ui.text.events import Narrator
from client.ui.tui.table.screen import TableScreen
from client.ui.tui.toolkit.asciicast import Recording
from client.ui.tui.toolkit.glyphs import UNICODE
from client.ui.tui.toolkit.style import THEMES, style_of
from client.ui.tui.toolkit.svg_picture import svg_of
from engine.game import Game
from engine.games import game_named
from engine.moves import Discard, Move, plays_of
from engine.slots import Shown
from engine.turn import Step
from p2p.system_errors import reason_of
from protocol.entries import MoveContent, ShuffleContent

_LARGEST = 400

_SECONDS_A_MOVE, _SECONDS_A_SHUFFLE, _SECONDS_ELSE = 1.0, 0.5, 0.04
_SECONDS_SELECTED = 0.8
_SECONDS_AT_THE_END = 4.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar=_("FILE"), help=_("where the picture goes"))
    parser.add_argument("--replace", action="store_true", help=_("draw over a file of that name"))
    add_game(parser, "canasta")
    add_players(parser)
    add_level(parser, "middle")
    parser.add_argument(
        "--turns", type=int, default=6, metavar="N", help=_("which turn of the first seat")
    )
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument(
        "--sheet", action="store_true", help=_("the score sheet of the first round instead")
    )
    instead.add_argument(
        "--cast",
        action="store_true",
        help=_("a recording of the first round instead, for asciinema"),
    )
    parser.add_argument("--columns", type=int, default=100, metavar="N")
    parser.add_argument("--rows", type=int, default=30, metavar="N")
    add_choice(parser, "--language", tuple(LANGUAGES), usual="en")
    add_choice(parser, "--theme", tuple(THEMES), usual="dark")
    parser.add_argument("--seed", type=int, default=1, help=_("fixes the cards and the choices"))


def run(arguments: argparse.Namespace) -> int:
    """Draw the picture or the recording.

    Raises InvalidOption for a number of players that the game is not for, and BadRequest for a size
    that no terminal has or a file that cannot be written.
    """
    choose_language(arguments.language)
    game = game_named(arguments.game)
    players = arguments.players or game.usual_players
    game.check_players(players)
    if arguments.file.exists() and not arguments.replace:
        raise BadRequest(
            "There is a file {path} already; --replace draws it anew.", path=str(arguments.file)
        )
    for name in ("columns", "rows"):
        check_number(f"--{name}", getattr(arguments, name), 1, _LARGEST)
    size = Size(rows=arguments.rows, columns=arguments.columns)
    table = _Table.begun(game, players, arguments.level, arguments.seed)
    draw = _film if arguments.cast else _picture
    try:
        drawn = trio.run(until_signalled, partial(draw, table, arguments, size))
        arguments.file.write_text(drawn, encoding="utf-8")
    except OSError as error:
        raise BadRequest(
            "{name} cannot be written: {why}.", name=str(arguments.file), why=reason_of(error)
        ) from error
    return 0


@define
class _Table:
    """A table of opponents, and the history that the first seat has seen."""

    table: InMemoryTable
    choosers: list[Chooser]
    history: TableHistory

    @classmethod
    def begun(cls, game: Game, players: int, level: str, seed: int) -> "_Table":
        entropy = random.Random(f"{seed} cards").randbytes
        table = InMemoryTable.sit(game, game.options(), NAMES[:players], entropy)
        choosers = [
            opponent(level, game.name, random.Random(f"{seed} {number}"))
            for number in range(players)
        ]
        return cls(table, choosers, TableHistory(Narrator(symbols=True)))

    @property
    def snapshot(self) -> Snapshot:
        table, history = self.table, self.history
        return Snapshot(
            table.state,
            table.view(0),
            0,
            chooses=table.chooser == 0,
            log=history.log,
            said=history.said,
            rounds=history.rounds,
        )

    async def choice(self) -> Move | None:
        """Return the move of the player who must choose; None if nobody must."""
        player = self.table.chooser
        view = None if player is None else self.table.view(player)
        if player is None or view is None:
            return None
        return await trio.to_thread.run_sync(self.choosers[player], view)

    async def write(self, move: Move | None) -> None:
        """Write the next entry."""
        self.history.follow(await trio.to_thread.run_sync(self.table.write, move))

    def screen(self, theme: str) -> TableScreen:
        """Return the screen of the first seat, whose own keys do nothing."""
        screen = TableScreen(UNICODE, style_of(theme, "dark"))
        screen.window.controls.send = lambda *_moves: None
        return screen


# -- a picture


async def _picture(table: _Table, arguments: argparse.Namespace, size: Size) -> str:
    is_moment = _is_counted if arguments.sheet else _Turns(arguments.turns)
    before = table.snapshot
    while not is_moment(table.snapshot) and not table.table.state.complete:
        before = table.snapshot
        await table.write(await table.choice())
    with create_app_session(input=DummyInput(), output=_Paper(size)):
        screen = table.screen(arguments.theme)
        screen.window.show(before)
        screen.window.show(table.snapshot)
        return svg_of(screen.app, style_of(arguments.theme, "dark"), size)


def _is_counted(snapshot: Snapshot) -> bool:
    return bool(snapshot.rounds)


@define
class _Turns:
    """A condition that holds when `left` turns have come to the point at which one may meld."""

    left: int
    _playing: bool = False

    def __call__(self, snapshot: Snapshot) -> bool:
        view = snapshot.view
        if snapshot.chooses and view is not None:
            step = view.turn.step is Step.PLAY
            playing = step and view.duty is None
            self.left -= playing and not self._playing
            self._playing = playing or (step and self._playing)
        return self.left <= 0


class _Paper(DummyOutput):
    """A terminal of that size that exists in memory only."""

    def __init__(self, size: Size) -> None:
        self._size = size

    def get_size(self) -> Size:
        return self._size


# -- a recording


async def _film(table: _Table, arguments: argparse.Namespace, size: Size) -> str:
    """Return a recording of a round from the first shuffle to its sheet, and its last layout."""
    recording = Recording(size, table.table.state.match.game.title)
    with recording.session():
        screen = table.screen(arguments.theme)
        show: Callable[[float], None] = partial(recording.draw, screen.app)
        while not _is_counted(table.snapshot):
            move = await table.choice()
            if move is not None and table.table.chooser == 0 and _select(screen, move):
                show(_SECONDS_SELECTED)
            await table.write(move)
            screen.window.show(table.snapshot)
            show(_pace(table))
        show(_SECONDS_AT_THE_END)
        screen.window.close_page()
        show(_SECONDS_AT_THE_END)
        show(0)
    return recording.text


def _select(screen: TableScreen, move: Move) -> bool:
    """Select the own cards of a move, as a person does; return True if there are any."""
    controls = screen.window.controls
    hand = controls.hand
    if hand is None:
        return False
    cards: tuple[Shown, ...] = (move.card,) if isinstance(move, Discard) else ()
    cards += tuple(shown for play in plays_of(move) for shown in play.cards)
    own = tuple(shown for shown in cards if shown in hand.cards)
    controls.hand = hand.with_selected(own)
    return bool(own)


def _pace(table: _Table) -> float:
    """Return the seconds for which the change by the last entry is shown."""
    last = table.table.state.last
    match last.content if last else None:
        case MoveContent():
            return _SECONDS_A_MOVE
        case ShuffleContent():
            return _SECONDS_A_SHUFFLE
        case _:
            return _SECONDS_ELSE
