"""Command that draws the pictures of README: `python -m tests.screenshots`.

    python -m tests.screenshots                    all of them anew, in `screenshots`
    python -m tests.screenshots samba sheet        only these two

Bots play, with all proofs, as in a game of people. The view is that of the first seat. Cards and
choices follow from a seed, so a picture changes only when the program draws it differently.
"""

import argparse
import random
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

import trio
from attrs import define, frozen
from prompt_toolkit.data_structures import Size

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
from engine.turn import Step
from tests.client.terminals import emulated
from tests.in_memory_table import InMemoryTable
from tests.screenshots.svg_picture import svg_of

FOLDER = Path(__file__).parents[2] / "screenshots"

_LARGE = Size(rows=34, columns=120)


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

    def play(self) -> None:
        """Write the next entry; a player who has a choice makes a move."""
        player = self.table.chooser
        view = None if player is None else self.table.view(player)
        move = None if player is None or view is None else self.choosers[player](view)
        self.history.follow(self.table.write(move))


async def drawn(picture: Picture, table: Table) -> str:
    """Return the picture of a table as SVG.

    It is async only because the screen must run in Trio.
    """
    is_moment = _Turns(picture.turns) if picture.turns else _is_counted
    before = table.snapshot
    while not is_moment(table.snapshot) and not table.table.state.complete:
        before = table.snapshot
        table.play()
    style = style_of("dark", "dark")
    with emulated(picture.size.columns, picture.size.rows):
        screen = TableScreen(TerminalLook(UNICODE, style))
        screen.window.show(before)
        screen.window.show(table.snapshot)
        return svg_of(screen.app, style, picture.size)


def _is_counted(snapshot: Snapshot) -> bool:
    return bool(snapshot.rounds)


@define
class _Turns:
    """A condition that becomes true in the n-th turn of the first seat's player.

    It becomes true as soon as that player can meld. `left` begins as n and is counted down.
    """

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


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.screenshots")
    parser.add_argument("names", nargs="*", help=f"some of {', '.join(PICTURES)}; all by default")
    given = parser.parse_args(words)
    for name in given.names or PICTURES:
        picture = PICTURES[name]
        table = Table.begun(picture.game, game_named(picture.game).usual_players, "middle", 1)
        (FOLDER / f"{name}.svg").write_text(trio.run(drawn, picture, table), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
