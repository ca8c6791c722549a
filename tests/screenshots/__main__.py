"""Command that draws the pictures of README: `python -m tests.screenshots`.

    python -m tests.screenshots                    all of them anew, in `screenshots`
    python -m tests.screenshots samba sheet        only these two
    python -m tests.screenshots --cast round.cast  a whole round as a recording, for asciinema

Bots play, with all proofs, as in a game of people. The view is that of the first seat. Cards and
choices follow from a seed, so a picture changes only when the program draws it differently.
"""

import argparse
import random
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

import trio
from attrs import define, frozen
from prompt_toolkit.application import create_app_session
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import DummyInput
from prompt_toolkit.output import DummyOutput

from client.bots.chooser import Chooser
from client.bots.levels import opponent
from client.session.display.snapshot import Snapshot
from client.session.display.table_history import TableHistory
from client.session.solo import NAMES
from client.ui.text.events import log_lines
from client.ui.tui.table.screen import TableScreen
from client.ui.tui.toolkit.glyphs import UNICODE
from client.ui.tui.toolkit.style import style_of
from client.ui.tui.toolkit.terminal_look import TerminalLook
from engine.games import game_named
from engine.moves import Discard, Move, plays_of
from engine.slots import Shown
from engine.turn import Step
from protocol.entries import MoveContent, ShuffleContent
from tests.in_memory_table import InMemoryTable
from tests.screenshots.asciicast import Recording
from tests.screenshots.svg_picture import svg_of

FOLDER = Path(__file__).parents[2] / "screenshots"

_LARGE = Size(rows=34, columns=120)
_SECONDS_A_MOVE, _SECONDS_A_SHUFFLE, _SECONDS_ELSE = 1.0, 0.5, 0.04
_SECONDS_SELECTED = 0.8
_SECONDS_AT_THE_END = 4.0


@frozen
class Picture:
    """A picture of a table with the game's usual number of players."""

    game: str
    turns: int
    """Number of the first seat's turn that is drawn; 0 for the sheet of the first round."""
    size: Size = _LARGE


PICTURES: Mapping[str, Picture] = {
    "canasta": Picture("canasta", 3),
    "kanastic": Picture("kanastic", 7),
    "canastra": Picture("canastra", 10),
    "samba": Picture("samba", 11),
    "hand_and_foot": Picture("hand_and_foot", 12),
    "sheet": Picture("canasta", 0, Size(rows=30, columns=90)),
}
"""Pictures by the names of their files."""


@define
class Table:
    """A table of opponents, and the history that the first seat has seen."""

    table: InMemoryTable
    choosers: list[Chooser]
    history: TableHistory

    @classmethod
    def begun(cls, name: str, players: int, level: str, seed: int) -> "Table":
        game = game_named(name)
        entropy = random.Random(f"{seed} cards").randbytes
        table = InMemoryTable.sit(game, game.options(), NAMES[:players], entropy)
        choosers = [
            opponent(level, name, random.Random(f"{seed} {number}")) for number in range(players)
        ]
        return cls(table, choosers, TableHistory(partial(log_lines, symbols=True)))

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

    def choice(self) -> Move | None:
        """Return the move of the player who has a choice; None if nobody has one."""
        player = self.table.chooser
        view = None if player is None else self.table.view(player)
        return None if player is None or view is None else self.choosers[player](view)

    def write(self, move: Move | None) -> None:
        """Write the next entry."""
        self.history.follow(self.table.write(move))


def _screen() -> TableScreen:
    """Return the screen of the first seat, which ignores keys."""
    screen = TableScreen(TerminalLook(UNICODE, style_of("dark", "dark")))
    screen.window.controls.send = lambda *_moves: None
    return screen


# -- a picture


async def drawn(picture: Picture, table: Table) -> str:
    """Return the picture of a table as SVG. The screen needs Trio."""
    is_moment = _Turns(picture.turns) if picture.turns else _is_counted
    before = table.snapshot
    while not is_moment(table.snapshot) and not table.table.state.complete:
        before = table.snapshot
        table.write(table.choice())
    with create_app_session(input=DummyInput(), output=_Paper(picture.size)):
        screen = _screen()
        screen.window.show(before)
        screen.window.show(table.snapshot)
        return svg_of(screen.app, style_of("dark", "dark"), picture.size)


def _is_counted(snapshot: Snapshot) -> bool:
    return bool(snapshot.rounds)


@define
class _Turns:
    """A condition that is true once the first seat can meld in its turn number `left`."""

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
    """A terminal of a given size, in memory only."""

    def __init__(self, size: Size) -> None:
        self._size = size

    def get_size(self) -> Size:
        return self._size


# -- a recording


async def recorded(table: Table, size: Size) -> str:
    """Return a recording of a round, from the first shuffle to its sheet and the last screen."""
    recording = Recording(size, table.table.state.match.game.title)
    with recording.session():
        screen = _screen()
        show: Callable[[float], None] = partial(recording.draw, screen.app)
        while not _is_counted(table.snapshot):
            move = table.choice()
            if move is not None and table.table.chooser == 0 and _select(screen, move):
                show(_SECONDS_SELECTED)
            table.write(move)
            screen.window.show(table.snapshot)
            show(_pace(table))
        show(_SECONDS_AT_THE_END)
        screen.window.close_page()
        show(_SECONDS_AT_THE_END)
        show(0)
    return recording.text


def _select(screen: TableScreen, move: Move) -> bool:
    """Select the cards of a move in the hand, as a person does; return True if there are any."""
    controls = screen.window.controls
    hand = controls.hand
    if hand is None:
        return False
    cards: tuple[Shown, ...] = (move.card,) if isinstance(move, Discard) else ()
    cards += tuple(shown for play in plays_of(move) for shown in play.cards)
    own = tuple(shown for shown in cards if shown in hand.cards)
    controls.hand = hand.with_selected(own)
    return bool(own)


def _pace(table: Table) -> float:
    """Return the seconds for which the effect of the last entry is shown."""
    last = table.table.state.last
    match last.content if last else None:
        case MoveContent():
            return _SECONDS_A_MOVE
        case ShuffleContent():
            return _SECONDS_A_SHUFFLE
        case _:
            return _SECONDS_ELSE


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.screenshots")
    parser.add_argument("names", nargs="*", help=f"some of {', '.join(PICTURES)}; all by default")
    parser.add_argument("--cast", type=Path, metavar="OUT", help="write a recording instead")
    given = parser.parse_args(words)
    if given.cast:
        table, size = Table.begun("canasta", 4, "middle", 1), Size(rows=30, columns=100)
        given.cast.write_text(trio.run(recorded, table, size), encoding="utf-8")
        return 0
    for name in given.names or PICTURES:
        picture = PICTURES[name]
        table = Table.begun(picture.game, game_named(picture.game).usual_players, "middle", 1)
        (FOLDER / f"{name}.svg").write_text(trio.run(drawn, picture, table), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
