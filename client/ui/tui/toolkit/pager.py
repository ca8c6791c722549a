"""A long text to read: scrolled on the whole screen, or all of it at once in the linear mode."""

from collections.abc import Callable, Sequence

from attrs import define
from prompt_toolkit.application import Application

from client.i18n.language import _
from client.ui.tui.terminal.run_beside_trio import Screen
from client.ui.tui.terminal.whole_screen import key_bindings
from client.ui.tui.toolkit.spans import Line, Span, folded
from client.ui.tui.toolkit.terminal_look import TerminalLook

HEADING = "# "
"""Beginning of a line that is a heading."""

_COLUMNS = 90


@define
class Reader:
    """A text to read, and the number of the first line on the screen.

    If `drawn` is given, a screen shows the lines that it returns for a number of columns instead of
    `text`.
    """

    title: str
    text: Sequence[str]
    drawn: Callable[[int], list[Line]] | None = None
    first: int = 0
    _seen: int = 1
    _last: int = 0

    def lines(self, width: int, rows: int) -> list[Line]:
        """Return as many lines as there are rows for."""
        columns = min(width, _COLUMNS) - 2
        lines = self._folded(columns) if self.drawn is None else self.drawn(columns)
        self._seen = max(1, rows - 2)
        self._last = max(0, len(lines) - self._seen)
        self.first = max(0, min(self.first, self._last))
        shown = lines[self.first : self.first + self._seen]
        title = Span(f" {self.title}".ljust(width), "class:header bold")
        return [(title,), (), *((Span(" "), *line) for line in shown)]

    def _folded(self, width: int) -> list[Line]:
        lines: list[Line] = []
        for text in self.text:
            if text.startswith(HEADING):
                lines += folded(text.removeprefix(HEADING), width, "bold")
                continue
            if text.strip() and len(text) <= width:  # as it is: a table keeps its blanks
                lines.append((Span(text),))
                continue
            indent = len(text) - len(text.lstrip(" -"))
            pieces = folded(text.strip(), width - indent)
            lines += [(Span(" " * indent), *piece) for piece in pieces] if text.strip() else [()]
        return lines

    def scroll(self, pages: float = 0, lines: int = 0) -> None:
        self.first += round(pages * self._seen) + lines


async def read(reader: Reader, look: TerminalLook) -> None:
    """Show the text until the person has read it. Raises Interrupted."""
    if look.lines is not None:
        for line in reader.text:
            look.say(line.removeprefix(HEADING))
        return
    await Screen(reader_application(reader, look)).run()


def reader_application(reader: Reader, look: TerminalLook) -> Application[None]:
    """Return the text on the whole screen."""
    reader.title = look.glyphs.plain(reader.title)
    reader.text = [look.glyphs.plain(line) for line in reader.text]
    keys = key_bindings(
        {
            "up": lambda _event: reader.scroll(lines=-1),
            "down enter": lambda _event: reader.scroll(lines=1),
            "pageup": lambda _event: reader.scroll(pages=-1),
            "pagedown space": lambda _event: reader.scroll(pages=1),
            "home": lambda _event: reader.scroll(pages=-9999),
            "end": lambda _event: reader.scroll(pages=9999),
            "escape q c-c": lambda event: event.app.exit(),
        }
    )
    hint = _("Arrows and page keys scroll, Esc goes back.")
    return look.text_application(reader.lines, hint, keys)
