"""People who type at a table in the linear mode, and the text written for them."""

import random
from collections.abc import Callable
from functools import partial

import trio
import trio.testing
from attrs import define

from client.bots.eager import choose
from client.session.display.presenter import Presenter
from client.ui.linear.table import PROMPT, LinearTable
from client.ui.model.command_words import line_of
from client.ui.text.events import log_lines
from client.ui.tui.toolkit.glyphs import UNICODE, Glyphs
from p2p.background_task import beside
from tests.client.plain_seat import PlainSeat
from tests.patience import PATIENCE

NextLine = Callable[[str], str | None]
"""Function from the text written so far to the next line to type, or None at the end."""


@define
class Typist:
    """A typist who types a line when asked for one, and keeps the text written."""

    next_line: NextLine
    written: str = ""

    def write(self, text: str) -> None:
        self.written += text

    def __aiter__(self) -> "Typist":
        return self

    async def __anext__(self) -> str:
        await trio.testing.wait_all_tasks_blocked()
        # A person types only after a prompt.
        line = self.next_line(self.written) if self.written.endswith(PROMPT) else None
        if line is None:
            raise StopAsyncIteration
        self.written += line + "\n"
        return line


async def typed_session(seat: PlainSeat, script: NextLine, glyphs: Glyphs = UNICODE) -> str:
    """Type lines at the table of `seat` until the script ends, and return the text written."""
    typist = Typist(script)
    table = LinearTable(glyphs, typist, typist.write)
    async with beside(Presenter(seat, table, partial(log_lines, symbols=glyphs.symbols)).run):
        await trio.testing.wait_all_tasks_blocked()
        seat.run()
        with trio.fail_after(PATIENCE):
            await table.run()
    return typist.written


@define
class Script:
    """Lines that play the moves of a bot.

    If a line changed nothing at the table, the next line is `send` after a meld, and otherwise the
    same line again, to confirm it after a warning.
    """

    seat: PlainSeat
    rng: random.Random
    height: int = -1
    last: str = ""

    def __call__(self, _written: str) -> str | None:
        if self.seat.state.match.sheets:
            return None
        assert self.seat.view is not None
        if self.seat.state.height != self.height:
            self.height = self.seat.state.height
            self.last = line_of(self.seat.view, choose(self.seat.view, self.rng))
            return self.last
        return "send" if self.last.startswith(("meld", "add", "take")) else self.last
