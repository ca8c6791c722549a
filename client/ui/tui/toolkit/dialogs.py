"""Whole screens for one purpose each: a text to read, a question, and a wait with its progress.

In the linear mode each of them is one line, or a few lines.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

import trio
from attrs import define
from prompt_toolkit.application import Application
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.document import Document
from prompt_toolkit.key_binding import KeyPressEvent
from prompt_toolkit.layout import HSplit, Layout, Window
from prompt_toolkit.layout.controls import BufferControl

from client.i18n.language import _
from client.ui.tui.terminal.run_beside_trio import Screen
from client.ui.tui.terminal.whole_screen import key_bindings
from client.ui.tui.toolkit.lines import LinesWindow
from client.ui.tui.toolkit.spans import Line, Span, cut, folded
from client.ui.tui.toolkit.terminal_look import TerminalLook, write_out
from p2p.background_task import beside

# -- a text to read

HEADING = "# "
"""Beginning of a line that is a heading."""

_COLUMNS = 90
_ALL = 9999  # pages: more than a text can have


@define
class Reader:
    """A text to read."""

    title: str
    text: Sequence[str]
    drawn: Callable[[int], list[Line]] | None = None
    """Returns the lines that a screen shows instead of `text`, for a number of columns."""
    first: int = 0
    """The number of the first line on the screen."""
    _seen: int = 1
    _last: int = 0

    def lines(self, width: int, rows: int) -> list[Line]:
        """Return as many lines as there are rows for."""
        columns = min(width, _COLUMNS) - 2
        lines = self._folded(columns) if self.drawn is None else self.drawn(columns)
        self._seen = max(1, rows - 2)
        self._last = max(0, len(lines) - self._seen)
        # The screen also asks for more rows than it has, to measure the text. So `self.first` must
        # not change here.
        first = min(self.first, self._last)
        shown = lines[first : first + self._seen]
        title = Span(f" {self.title}".ljust(width), "class:header bold")
        return [(title,), (), *((Span(" "), *line) for line in shown)]

    def _folded(self, width: int) -> list[Line]:
        lines: list[Line] = []
        for text in self.text:
            if text.startswith(HEADING):
                lines += folded(text.removeprefix(HEADING), width, "bold")
                continue
            # A row of a score table must keep the blanks between its columns.
            if len(text) <= width:
                lines.append((Span(text),))
                continue
            # The lines of an item in a list begin below the item's first word.
            words = text.lstrip(" -")
            head = text[: len(text) - len(words)]
            first, *more = folded(words, width - len(head))
            lines.append((Span(head), *first))
            lines += [(Span(" " * len(head)), *line) for line in more]
        return lines

    def scroll(self, pages: float = 0, lines: int = 0) -> None:
        to = min(self.first, self._last) + round(pages * self._seen) + lines
        self.first = max(0, min(to, self._last))


async def read(reader: Reader, look: TerminalLook) -> None:
    """Show the text until the person has read it. Raises Interrupted."""
    if look.lines is not None:
        for line in reader.text:
            look.say(line.removeprefix(HEADING))
        return
    await Screen(reader_application(reader, look)).run()


def reader_application(reader: Reader, look: TerminalLook) -> Application[None]:
    """Return an application that shows the text on the whole screen."""
    reader.title = look.glyphs.plain(reader.title)
    reader.text = [look.glyphs.plain(line) for line in reader.text]
    keys = key_bindings(
        {
            "up": lambda _event: reader.scroll(lines=-1),
            "down enter": lambda _event: reader.scroll(lines=1),
            "pageup": lambda _event: reader.scroll(pages=-1),
            "pagedown space": lambda _event: reader.scroll(pages=1),
            "home": lambda _event: reader.scroll(pages=-_ALL),
            "end": lambda _event: reader.scroll(pages=_ALL),
            "escape q c-c": lambda event: event.app.exit(),
        }
    )
    hint = _("Arrows and page keys scroll, Esc goes back.")
    return look.text_application(reader.lines, hint, keys)


# -- a question for a line of text

_LONGEST = 200


async def ask_text(question: str, before: str, look: TerminalLook) -> str | None:
    """Return the text that the person types; None when they go back. Raises Interrupted."""
    if look.lines is not None:
        write_out(look.glyphs.plain(f"{question} ({before})" if before else question) + " > ")
        async for line in look.lines:
            return line[:_LONGEST] or None
        return None
    return await Screen(prompt_application(question, before, look)).run()


def prompt_application(question: str, before: str, look: TerminalLook) -> Application[str | None]:
    """Return an application that asks the question, and exits with the typed text, or None.

    The old text, `before`, is selected: typing replaces it, and moving the cursor keeps it.
    """
    buffer = Buffer(document=Document(before, 0), multiline=False)
    buffer.start_selection()
    assert buffer.selection_state is not None
    buffer.selection_state.enter_shift_mode()
    buffer.cursor_position = len(before)
    typing = Window(BufferControl(buffer), height=1)
    text = look.glyphs.plain(question)

    def head(width: int, _rows: int) -> list[Line]:
        lines = folded(text, width - 4, "class:mine")
        return [(), *((Span("  "), *line) for line in lines), ()]

    def paste(event: KeyPressEvent) -> None:
        buffer.cut_selection()
        buffer.insert_text(" ".join(event.data.split()))

    keys = key_bindings(
        {
            "enter": lambda event: event.app.exit(result=buffer.text[:_LONGEST]),
            "escape c-c": lambda event: event.app.exit(result=None),
            "<bracketed-paste>": paste,
        }
    )
    asked = LinesWindow(head, dont_extend_height=True)
    layout = Layout(HSplit([asked, typing, Window()]), focused_element=typing)
    return look.application(layout, keys)


# -- work or a wait that takes a while; Esc gives it up

T = TypeVar("T")

OnProgress = Callable[[str], None]
"""Callback with the progress of the work, or with the reason why it takes long."""


async def while_working(
    title: str, work: Callable[[OnProgress], T], look: TerminalLook
) -> T | None:
    """Return the result of `work`, run in a thread; None if the person gives it up.

    `work` must call its callback often, in its own thread: after the person has given up, the
    callback raises Cancelled, which ends `work`. Raises the errors of `work`, and Interrupted.
    """

    async def wait(on_progress: OnProgress) -> T:
        def check_and_tell(line: str) -> None:
            trio.from_thread.check_cancelled()
            on_progress(line)

        return await trio.to_thread.run_sync(work, check_and_tell)

    return await while_waiting(title, wait, look, quiet=True)


async def while_waiting(
    title: str,
    wait: Callable[[OnProgress], Awaitable[T]],
    look: TerminalLook,
    *,
    quiet: bool = False,
) -> T | None:
    """Return the result of `wait`; if the person gives it up, cancel it and return None.

    Any thread may call the callback. Raises the errors of `wait`, and Interrupted. The linear mode
    leaves out a line of progress that is equal to the line before; with `quiet` it prints none.
    """
    now = title if look.lines is not None else ""

    def tell(line: str) -> None:
        nonlocal now
        if look.lines is not None and line != now and not quiet:
            look.say(line)
        now = line

    if look.lines is not None:
        look.say(title)
        return await wait(tell)

    def write(width: int, _rows: int) -> list[Line]:
        progress = folded(look.glyphs.plain(now), width - 2)
        head = cut((Span(f"  {look.glyphs.plain(title)}", "class:mine"),), width)
        return [(), head, (), *((Span("  "), *line) for line in progress)]

    keys = key_bindings({"escape q c-c": lambda event: event.app.exit()})
    screen = Screen(look.text_application(write, _("Esc goes back."), keys))
    results: list[T] = []
    errors: list[Exception] = []

    # Errors are collected and raised below: raised in the background task, they would come as an
    # exception group.
    async def run_and_stop() -> None:
        try:
            results.append(await wait(lambda line: screen.call(tell, line)))
        except Exception as error:
            errors.append(error)
        screen.stop()

    async with beside(run_and_stop):
        await screen.run()
    for error in errors:
        raise error
    return results[0] if results else None
