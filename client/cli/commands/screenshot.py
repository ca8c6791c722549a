"""`sobremesa screenshot`: a picture of a real table as SVG, drawn by the program itself.

Opponents play at a table on this machine, dealt as among people; the picture shows what the one
in the first seat sees after so many of its own turns.
"""

import argparse
import random
import tempfile
from collections.abc import Callable
from functools import partial
from itertools import groupby
from pathlib import Path
from xml.sax.saxutils import escape

import trio
from attrs import define
from prompt_toolkit.application import Application, create_app_session
from prompt_toolkit.application.current import set_app
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import DummyInput
from prompt_toolkit.layout.mouse_handlers import MouseHandlers
from prompt_toolkit.layout.screen import Screen, WritePosition
from prompt_toolkit.output import DummyOutput
from prompt_toolkit.styles import Attrs, BaseStyle

from client.bots.levels import LEVELS, opponent
from client.bots.runner import Chooser, sit_in
from client.errors import BadRequest, check_number, reason_of
from client.i18n.language import LANGUAGES, _, choose_language
from client.session.local_table import local_table
from client.session.presenter import Presenter
from client.session.signals import EXIT_INTERRUPTED, Interrupted, until_signalled
from client.session.snapshot import Snapshot
from client.session.solo import NAMES
from client.ui.text.events import Narrator
from client.ui.tui.table.screen import TableScreen
from client.ui.tui.toolkit.glyphs import UNICODE
from client.ui.tui.toolkit.style import THEMES, style_of
from engine.errors import IllegalMove
from engine.game import Game
from engine.games import GAMES, game_named
from engine.moves import Move
from engine.turn import Step
from p2p.table.node import Node
from protocol.errors import Refused
from protocol.state import State

_CELL_WIDTH, _CELL_HEIGHT, _FONT = 8.4, 18, 14
_LARGEST = 400
_INK, _PAPER = "#d7d7d7", "#1c1c1c"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar=_("FILE"), help=_("where the SVG goes"))
    parser.add_argument("--replace", action="store_true", help=_("draw over a file of that name"))
    parser.add_argument("--game", choices=tuple(GAMES), default="canasta")
    parser.add_argument("--players", type=int, metavar="N", help=_("how many play"))
    parser.add_argument("--level", choices=LEVELS, default="middle", help=_("how well they play"))
    parser.add_argument(
        "--turns", type=int, default=6, metavar="N", help=_("which turn of the first seat")
    )
    parser.add_argument(
        "--sheet", action="store_true", help=_("the score sheet of the first round instead")
    )
    parser.add_argument("--columns", type=int, default=100, metavar="N")
    parser.add_argument("--rows", type=int, default=30, metavar="N")
    parser.add_argument("--language", choices=tuple(LANGUAGES), default="en")
    parser.add_argument("--theme", choices=tuple(THEMES), default="dark")
    parser.add_argument("--seed", type=int, default=1, help=_("fixes the choices, not the shuffle"))


def run(arguments: argparse.Namespace) -> int:
    """Raises InvalidOption for a number of players that the game is not for, and BadRequest for a
    size that no terminal has or a file that cannot be written.
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
    picture = partial(_picture, game, players, arguments, size)
    try:
        arguments.file.write_text(trio.run(until_signalled, picture), encoding="utf-8")
    except OSError as error:
        raise BadRequest(
            "{name} cannot be written: {why}.", name=str(arguments.file), why=reason_of(error)
        ) from error
    except Interrupted:
        return EXIT_INTERRUPTED
    return 0


async def _picture(game: Game, players: int, arguments: argparse.Namespace, size: Size) -> str:
    snapshot = await _moment(game, players, arguments)
    with create_app_session(input=DummyInput(), output=_Paper(size)):
        style = style_of(arguments.theme, "dark")
        screen = TableScreen(UNICODE, style)
        screen.window.show(snapshot)
        return svg_of(screen.app, style, size)


async def _moment(game: Game, players: int, arguments: argparse.Namespace) -> Snapshot:
    """What the first seat sees in the last of its turns, or at the end of the match."""
    onlooker = _Onlooker()
    with tempfile.TemporaryDirectory(prefix="sobremesa-screenshot-") as folder:
        table = local_table(game, game.options(), NAMES[:players], Path(folder))
        async with table as nodes, trio.open_nursery() as nursery:
            first, *others = [
                opponent(arguments.level, game.name, random.Random(f"{arguments.seed} {number}"))
                for number in range(players)
            ]
            for node, choose in zip(nodes[1:], others, strict=True):
                nursery.start_soon(sit_in, node, choose)
            for node in nodes:
                nursery.start_soon(node.run)
            nursery.start_soon(Presenter(nodes[0], onlooker, Narrator(symbols=True)).run)
            done = _is_counted if arguments.sheet else _Turns(arguments.turns)
            await _play_until(nodes[0], first, done)
            await onlooker.sees(nodes[0].state)
            nursery.cancel_scope.cancel()
    assert onlooker.newest is not None
    return onlooker.newest


async def _play_until(node: Node, choose: Chooser, is_moment: Callable[[Node], bool]) -> None:
    """Play until it is the moment, or the match is over."""
    changes = node.changes()
    while not is_moment(node) and not node.state.complete:
        view = node.view
        if node.chooses and view is not None:
            await node.play(await trio.to_thread.run_sync(choose, view))
        await anext(changes)


def _is_counted(node: Node) -> bool:
    return bool(node.state.match.sheets)


@define
class _Turns:
    """That many turns have come to the point at which one may meld."""

    left: int
    _playing: bool = False

    def __call__(self, node: Node) -> bool:
        view = node.view
        if node.chooses and view is not None:
            step = view.turn.step is Step.PLAY
            playing = step and view.duty is None
            self.left -= playing and not self._playing
            self._playing = playing or (step and self._playing)
        return self.left <= 0


class _Onlooker:
    """A display that decides nothing."""

    def __init__(self) -> None:
        self.newest: Snapshot | None = None
        self._shown = trio.Event()

    async def sees(self, state: State) -> None:
        """Wait until that state is shown."""
        while self.newest is None or self.newest.state is not state:
            await self._shown.wait()

    def show(self, snapshot: Snapshot) -> None:
        self.newest = snapshot
        self._shown.set()
        self._shown = trio.Event()

    def refuse(self, error: IllegalMove | Refused) -> None:
        raise error

    def tell(self, sentence: str) -> None:
        """Nobody asks for anything."""

    async def decided(self) -> tuple[Move, ...]:
        await trio.sleep_forever()
        return ()


class _Paper(DummyOutput):
    """A terminal of that size that nobody looks at."""

    def __init__(self, size: Size) -> None:
        self._size = size

    def get_size(self) -> Size:
        return self._size


def svg_of(app: Application[None], style: BaseStyle, size: Size) -> str:
    """The screen of an application as an SVG document."""
    screen = Screen()
    with set_app(app):
        whole = WritePosition(0, 0, size.columns, size.rows)
        app.layout.container.write_to_screen(screen, MouseHandlers(), whole, "", False, None)
        screen.draw_all_floats()
    width, height = size.columns * _CELL_WIDTH + 20, size.rows * _CELL_HEIGHT + 20
    fonts = f'font-family="ui-monospace, Menlo, Consolas, monospace" font-size="{_FONT}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height}" {fonts}>',
        f'<rect width="100%" height="100%" rx="8" fill="{_PAPER}"/>',
    ]
    for row in range(size.rows):
        cells = [screen.data_buffer[row][column] for column in range(size.columns)]
        column = 0
        for look, run in groupby(cells, key=lambda cell: cell.style):
            text = "".join(cell.char for cell in run)
            lines += _run(text, style.get_attrs_for_style_str(look), row, column)
            column += len(text)
    return "\n".join([*lines, "</svg>", ""])


def _run(text: str, attrs: Attrs, row: int, column: int) -> list[str]:
    """Characters of one style; `textLength` keeps the columns whatever font there is."""
    x, y = 10 + column * _CELL_WIDTH, 10 + row * _CELL_HEIGHT
    width = len(text) * _CELL_WIDTH
    ink, paper = _colour(attrs.color, _INK), _colour(attrs.bgcolor, "")
    if attrs.reverse:
        ink, paper = paper or _PAPER, ink
    parts = []
    if paper:
        parts.append(
            f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="{_CELL_HEIGHT}" '
            f'fill="{paper}"/>'
        )
    if text.strip():
        weight = ' font-weight="bold"' if attrs.bold else ""
        line = ' text-decoration="underline"' if attrs.underline else ""
        parts.append(
            f'<text x="{x:.1f}" y="{y + _FONT}" fill="{ink}" textLength="{width:.1f}" '
            f'xml:space="preserve"{weight}{line}>{escape(text)}</text>'
        )
    return parts


def _colour(name: str | None, otherwise: str) -> str:
    return f"#{name}" if name and not name.startswith("ansi") and name != "default" else otherwise
