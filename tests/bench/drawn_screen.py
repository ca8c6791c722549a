"""A player's screen of a table, on a terminal that nobody sees.

The screen has its own thread, which draws the node's news and takes keys.
"""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Self

import trio
from attrs import define, field
from prompt_toolkit.application import create_app_session
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.output.vt100 import Vt100_Output

from client.session.display.presenter import Presenter
from client.ui.model.command_words import own_key
from client.ui.text.events import log_lines
from client.ui.tui.table.screen import TableScreen
from client.ui.tui.toolkit.glyphs import UNICODE
from client.ui.tui.toolkit.style import style_of
from client.ui.tui.toolkit.terminal_look import TerminalLook
from p2p.match.match_node import MatchNode

_SIZE = Size(rows=34, columns=120)


@define
class DrawnScreen:
    """The screen of the player at `node`."""

    _node: MatchNode
    _screen: TableScreen
    _keyboard: PipeInput
    drawn: list[tuple[int, float]] = field(factory=list)
    """Each height that was shown, with the time of drawing in seconds."""
    _news: trio.Event = field(factory=trio.Event)
    _used: float = 0.0
    """Processor seconds of the screen's thread, up to its last drawing."""
    _used_before: float = 0.0
    """The same, up to the last `reset`."""

    @classmethod
    @contextmanager
    def of(cls, node: MatchNode) -> Iterator[Self]:
        """Yield the screen, on a terminal that exists as long as the block."""
        with create_pipe_input() as keyboard, open(os.devnull, "w", encoding="utf-8") as nothing:
            output = Vt100_Output(
                nothing,
                lambda: _SIZE,
                term="xterm-256color",
                default_color_depth=ColorDepth.DEPTH_8_BIT,
                enable_bell=False,
                enable_cpr=False,
            )
            with create_app_session(keyboard, output):
                screen = TableScreen(TerminalLook(UNICODE, style_of("dark", "dark")))
                yield cls(node, screen, keyboard)

    async def run(self) -> None:
        """Show the node's news until cancelled."""
        token = trio.lowlevel.current_trio_token()

        def note(_app: object) -> None:
            self._used = time.thread_time()
            height = self._screen.window.controls.snapshot.state.height
            self.drawn.append((height, time.perf_counter()))
            token.run_sync_soon(self._tell)

        self._screen.app.after_render += note
        async with trio.open_nursery() as nursery:
            presenter = Presenter(self._node, self._screen, partial(log_lines, symbols=True))
            nursery.start_soon(presenter.run)
            await self._screen.run()

    def _tell(self) -> None:
        self._news.set()
        self._news = trio.Event()

    async def shown(self, height: int) -> None:
        """Wait until the screen shows the table at `height` or later."""
        while not self.drawn or self.drawn[-1][0] < height:
            await self._news.wait()

    def press(self, key: str) -> None:
        """Type the key of a command."""
        self._keyboard.send_text(own_key(key))

    def reset(self) -> None:
        """Start counting processor time anew."""
        self._used_before = self._used

    @property
    def busy(self) -> float:
        """Seconds of processor time that the screen's thread has used since `reset`."""
        return self._used - self._used_before

    def when_shown(self, height: int) -> float:
        """Return the time when the table was first shown at `height` or later.

        Raises StopIteration if that never happened.
        """
        return next(at for shown, at in self.drawn if shown >= height)
