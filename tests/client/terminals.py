"""A terminal emulator for applications of prompt_toolkit, and `Hands` that press their keys.

The application does not run by itself: the test gives it keys and lets it draw.
"""

import asyncio
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from typing import Any, cast

import pyte
from attrs import define
from prompt_toolkit.application import Application, create_app_session
from prompt_toolkit.application.current import set_app
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.output.vt100 import Vt100_Output

from client.ui.tui.toolkit.glyphs import UNICODE, Glyphs
from client.ui.tui.toolkit.style import style_of
from client.ui.tui.toolkit.terminal_look import TerminalLook

_LOOPS = 5  # turns of the event loop that finish all callbacks of a key


class StandardOutput:
    """A stand-in for a terminal's standard output, as prompt_toolkit uses it."""

    encoding = "utf-8"

    def flush(self) -> None: ...

    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        return -1


class Emulator(StandardOutput):
    """An emulator that shows the output with pyte."""

    def __init__(self, columns: int, rows: int) -> None:
        self.screen = pyte.Screen(columns, rows)
        self._stream = pyte.Stream(self.screen)

    def write(self, data: str) -> int:
        self._stream.feed(data)
        return len(data)

    @property
    def text(self) -> str:
        """The whole screen, without blanks at the ends of its lines."""
        return "\n".join(line.rstrip() for line in self.screen.display)

    def resize(self, columns: int, rows: int) -> None:
        self.screen.resize(rows, columns)

    @property
    def size(self) -> Size:
        return Size(rows=self.screen.lines, columns=self.screen.columns)


@define
class Hands:
    """A user at a keyboard, who presses the keys of an application and sees its screen."""

    app: Application[Any]
    keyboard: PipeInput
    emulator: Emulator
    loop: asyncio.AbstractEventLoop

    def press(self, keys: str) -> None:
        """Press keys, written as the bytes that a keyboard sends."""
        self.keyboard.send_text(keys)
        for key in (*self.keyboard.read_keys(), *self.keyboard.flush_keys()):
            self.app.key_processor.feed(key)
        self.app.key_processor.process_keys()
        for _ in range(_LOOPS):
            self.loop.run_until_complete(asyncio.sleep(0))

    def click_on(self, text: str) -> str:
        """Return what a terminal sends for a click on a text: the button goes down and up."""
        lines = self.screen.splitlines()
        row = next(number for number, line in enumerate(lines) if text in line)
        column = lines[row].index(text)
        return "".join(f"\x1b[<0;{column + 1};{row + 1}{kind}" for kind in "Mm")

    @property
    def screen(self) -> str:
        """The screen as it is drawn now."""
        self.app.renderer.render(self.app, self.app.layout)
        self.app.layout.update_parents_relations()
        return self.emulator.text


@contextmanager
def emulated(columns: int, rows: int) -> Iterator[tuple[PipeInput, Emulator]]:
    """Run a session of prompt_toolkit on a terminal of that size; yield keyboard and emulator."""
    emulator = Emulator(columns, rows)
    output = Vt100_Output(
        cast(Any, emulator),
        lambda: emulator.size,
        term="xterm-256color",
        default_color_depth=ColorDepth.DEPTH_8_BIT,
        enable_bell=False,
        enable_cpr=False,
    )
    with create_pipe_input() as keyboard, create_app_session(keyboard, output):
        yield keyboard, emulator


@contextmanager
def hands_on(app: Application[Any], keyboard: PipeInput, emulator: Emulator) -> Iterator[Hands]:
    """Yield a user of an application that was made within `emulated`."""
    loop = app.loop = asyncio.new_event_loop()
    with set_app(app), closing(loop):
        try:
            yield Hands(app, keyboard, emulator, loop)
        finally:
            _finish(loop)


def _finish(loop: asyncio.AbstractEventLoop) -> None:
    """Finish the tasks that the application has left."""
    left = asyncio.all_tasks(loop)
    for task in left:
        task.cancel()

    async def wait() -> None:
        await asyncio.gather(*left, return_exceptions=True)

    loop.run_until_complete(wait())


class Typed:
    """Lines that were typed."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = iter(lines)

    def __aiter__(self) -> "Typed":
        return self

    async def __anext__(self) -> str:
        for line in self._lines:
            return line
        raise StopAsyncIteration


def plain_look(typed: Iterable[str] | None = None, glyphs: Glyphs = UNICODE) -> TerminalLook:
    """Return the look of a screen without colours.

    If `typed` is given, it is the look of the linear mode, which reads these lines.
    """
    lines = None if typed is None else Typed(typed)
    return TerminalLook(glyphs, style_of("plain"), lines=lines)
