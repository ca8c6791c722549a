"""The screen of the table: its picture, and on top of it a page and the command line."""

from collections.abc import Iterable

from prompt_toolkit.application import get_app
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.layout import ConditionalContainer, Float, Layout, Window
from prompt_toolkit.layout.controls import BufferControl
from prompt_toolkit.layout.processors import BeforeInput

from client.i18n.language import _
from client.ui.model.command_words import own_key, spoken
from client.ui.model.commands.find_commands import LONGEST_LINE, completions
from client.ui.model.commands.table_commands import Command
from client.ui.model.controls import Controls
from client.ui.model.pages import Page
from client.ui.tui.table.pages import page_lines
from client.ui.tui.table.picture import TablePicture
from client.ui.tui.table.screen_state import ScreenState
from client.ui.tui.toolkit.changed_rows import ChangedRows
from client.ui.tui.toolkit.completion_menu import completion_menu
from client.ui.tui.toolkit.glyphs import Glyphs
from client.ui.tui.toolkit.lines import LinesWindow
from client.ui.tui.toolkit.spans import Click, Line, Span, cut, folded, padded, width_of

LEAST_COLUMNS, LEAST_ROWS = 60, 18
"""The minimum size of a terminal on which a table fits."""

_BESIDE_COLUMNS = 160
"""The minimum width at which a page lies at the right, so that the melds stay in sight."""
_PAGE_COLUMNS = 80


class TableLayout:
    """The prompt_toolkit layout of a table window; lines are typed in the buffer `command`."""

    def __init__(self, window: ScreenState) -> None:
        self.window = window
        self.command = Buffer(
            completer=LineCompleter(window.controls),
            complete_while_typing=True,
            history=InMemoryHistory(),
            multiline=False,
            accept_handler=self._accepted,
        )
        control = BufferControl(self.command, input_processors=[BeforeInput(":")])
        self._command_line = Window(control, height=1)
        self._picture = TablePicture(window.glyphs)
        self._table = LinesWindow(self._lines, window.clicked)
        # `_lines` writes the page together with the table. prompt_toolkit draws the table first, so
        # the size of the page is known when the page is drawn.
        self._page: list[Line] = []
        page = LinesWindow(lambda *_: self._page, window.clicked, window.scroll_by)
        self._over = Float(page, top=1, height=lambda: len(self._page))
        self._fits = False

    def build(self) -> Layout:
        """Return the layout, with the focus on the table."""
        writing = Condition(lambda: self.window.command_open)
        menu = ConditionalContainer(completion_menu(), writing)
        floats = [
            self._over,
            Float(
                self._command_line,
                left=0,
                right=0,
                bottom=0,
                height=lambda: self._fits and writing(),
            ),
            Float(menu, xcursor=True, ycursor=True),
        ]
        return Layout(ChangedRows(self._table, floats), focused_element=self._table)

    # -- the command line

    def open_command(self) -> None:
        """Let the person type a line; an open page is closed."""
        self.window.close_page()
        self.window.command_open = True
        get_app().layout.focus(self._command_line)

    def search_rules(self) -> None:
        """Let the person type the words to look for in the rules."""
        self.open_command()
        self.command.insert_text(spoken("rules") + " ")

    def close_command(self) -> None:
        self.window.command_open = False
        self.command.reset()
        get_app().layout.focus(self._table)

    def _accepted(self, buffer: Buffer) -> bool:
        line = buffer.text
        self.close_command()
        self.window.run_line(line)
        return False

    # -- what is shown

    def _lines(self, columns: int, rows: int) -> list[Line]:
        """Return the table and the line of keys, which is empty while a command is typed there."""
        window, picture = self.window, self._picture
        self._page, self._table.cursor_row = [], 0
        self._fits = columns >= LEAST_COLUMNS and rows >= LEAST_ROWS
        if not self._fits:
            return _too_small(columns)
        hints = () if window.command_open else self._hints(columns)
        lines = picture.lines(window.view, columns, rows, paused=window.paused)
        self._table.cursor_row = picture.hand_row
        self._over.width = min(_PAGE_COLUMNS, columns)
        self._over.right = 0 if columns >= _BESIDE_COLUMNS else None
        self._page = self._page_lines(self._over.width, rows - 2 - picture.status_rows)
        return [*lines, hints]

    def _hints(self, width: int) -> Line:
        """Return the keys that do something now, each clickable.

        If there is no room for all, the keys that are needed least are left out.
        """
        controls, glyphs = self.window.controls, self.window.glyphs
        commands = list(self.window.offered)
        # On 60 columns "b bar" (yields 7) goes first, then "e say" (6), "k cards" (5), and so on.
        while True:
            line = _hint_line(commands, controls, glyphs)
            yielding = [command for command in commands if command.yields]
            if width_of(line) <= width or not yielding:
                return cut(line, width)
            commands.remove(max(yielding, key=lambda command: command.yields))

    def _page_lines(self, width: int, rows: int) -> list[Line]:
        """Return the page in at most `rows` rows, above the lines of the turn and of the keys."""
        window = self.window
        if window.page is None:
            return []
        lines = page_lines(window.page, window.controls, window.glyphs, width - 4)
        room = max(1, rows - 3)
        window.most_scroll = max(0, len(lines) - room)
        first = min(window.scroll, window.most_scroll)
        shown = lines[first : first + room]
        close = _("Esc closes; the arrows scroll") if len(lines) > room else _("Esc closes")
        if window.page is Page.RULES:
            close = _("← → other subjects, / searches") + f"; {close}"
        elif window.page is Page.PHRASES:
            close = _("a number says its phrase") + f"; {close}"
        return framed(f" {_(window.page.value)}", shown, close, window.glyphs, width)


def _hint_line(commands: Iterable[Command], controls: Controls, glyphs: Glyphs) -> Line:
    line: Line = ()
    for command in commands:
        click = Click("key", key=command.key)
        label = _(command.label or command.word) + command.detail(controls, glyphs.face)
        line += (
            Span(f" {own_key(command.key)}", "class:key", click),
            Span(f" {label} ", "", click),
        )
        if command.risky(controls):
            line += (Span("! ", "class:warn", click),)
    return line


def framed(title: str, lines: list[Line], foot: str, glyphs: Glyphs, width: int) -> list[Line]:
    """Return lines in a frame, with the title above them and `foot` in the lower edge."""
    side = Span(glyphs.down, "class:frame")
    end = (
        Span(glyphs.corners[2] + glyphs.across, "class:frame"),
        Span(f" {foot} ", "class:dim", Click("key", key="Escape")),
    )
    rest = glyphs.across * max(0, width - width_of(end) - 1) + glyphs.corners[3]
    return [
        (Span(title.ljust(width), "class:page.title"),),
        *((side, Span(" "), *padded(line, width - 4), Span(" "), side) for line in lines),
        (side, Span(" " * (width - 2)), side),
        cut((*end, Span(rest, "class:frame")), width),
    ]


def _too_small(width: int) -> list[Line]:
    sentence = _("The window is too small: a table takes {columns} columns and {rows} rows.")
    return folded(sentence.format(columns=LEAST_COLUMNS, rows=LEAST_ROWS), width)


class LineCompleter(Completer):
    """A completer that offers lines for legal moves, and the words of other commands."""

    def __init__(self, controls: Controls) -> None:
        self._controls = controls

    def get_completions(
        self, document: Document, complete_event: CompleteEvent
    ) -> Iterable[Completion]:
        del complete_event
        typed = document.text_before_cursor[:LONGEST_LINE]
        for line in completions(self._controls, typed):
            yield Completion(line, start_position=-len(typed))
