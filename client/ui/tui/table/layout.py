"""The screen of the table: its parts one under the other, the log beside them where it is wide."""

from collections.abc import Callable, Iterable

from attrs import define, field
from prompt_toolkit.application import get_app
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.layout import (
    ConditionalContainer,
    Container,
    Dimension,
    DynamicContainer,
    Float,
    FloatContainer,
    HSplit,
    Layout,
    VSplit,
    Window,
)
from prompt_toolkit.layout.controls import BufferControl
from prompt_toolkit.layout.menus import CompletionsMenu
from prompt_toolkit.layout.mouse_handlers import MouseHandlers
from prompt_toolkit.layout.processors import BeforeInput
from prompt_toolkit.layout.screen import Screen, WritePosition

from client.i18n.language import _
from client.ui.model.command import Command
from client.ui.model.command_lines import LONGEST_LINE, completions
from client.ui.model.command_words import own_key, spoken
from client.ui.model.controls import Controls
from client.ui.model.pages import Page
from client.ui.model.table_view import TableView
from client.ui.tui.table import melds, seats, status
from client.ui.tui.table.hand import hand
from client.ui.tui.table.overlay import TableWindow
from client.ui.tui.table.pages import page_lines
from client.ui.tui.toolkit.glyphs import Glyphs
from client.ui.tui.toolkit.lines import Lines
from client.ui.tui.toolkit.spans import Click, Line, Span, cut, folded, padded, width_of

LEAST_COLUMNS, LEAST_ROWS = 60, 18
"""A table does not fit on less."""

_WIDE_COLUMNS = 110
_BESIDE_COLUMNS = 160
"""From here on a page lies beside the melds, and over the log."""
_LOG_COLUMNS = 42
_LOG_ROWS = (4, 3, 2)
"""Rows of the log below the melds, with the rule above: fewer where melds would crowd otherwise."""
_ROOMY_ROWS = 24
"""From here on there is room for a line about oneself."""
_TALL_ROWS = 32
"""From here on there is room for whole cards."""
_PAGE_COLUMNS = 80

Part = Callable[[TableView, Glyphs, int], list[Line]]


@define
class TableLayout:
    """Builds the containers over a window; lines are typed in the buffer `command`."""

    window: TableWindow
    command: Buffer = field(init=False)
    _view: TableView | None = field(init=False, default=None)
    _written: dict[tuple[Part, int], list[Line]] = field(init=False, factory=dict)
    """What the parts have written in this drawing: the screen asks for each several times."""
    _command_line: Window = field(init=False)
    _cards: Window = field(init=False)

    def __attrs_post_init__(self) -> None:
        completer = LineCompleter(self.window.controls)
        self.command = Buffer(
            completer=completer,
            complete_while_typing=True,
            history=InMemoryHistory(),
            multiline=False,
            accept_handler=self._accepted,
        )
        control = BufferControl(self.command, input_processors=[BeforeInput(":")])
        self._command_line = Window(control, height=1)
        self._cards = self._fixed(_hand, focusable=True)

    def build(self) -> Layout:
        """The layout, the table having the focus."""
        narrow = HSplit([self._fixed(seats.seats), self._sides(), self._log(below=True)])
        left = HSplit([self._fixed(seats.seats), self._sides(), Window(height=Dimension())])
        wide = VSplit([left, Window(width=1), HSplit([self._log()], width=_log_columns)])
        writing = Condition(lambda: self.window.command_open)
        table = HSplit(
            [
                self._fixed(seats.header),
                DynamicContainer(lambda: wide if _size()[0] >= _WIDE_COLUMNS else narrow),
                ConditionalContainer(self._fixed(seats.own_seat), Condition(_has_room)),
                self._cards,
                self._fixed(status.status),
                ConditionalContainer(self._command_line, writing),
                ConditionalContainer(Window(self._control(self._hints), height=1), ~writing),
            ]
        )
        fits = Condition(lambda: _size()[0] >= LEAST_COLUMNS and _size()[1] >= LEAST_ROWS)
        small = Window(self._control(_too_small))
        both = HSplit([ConditionalContainer(table, fits), ConditionalContainer(small, ~fits)])
        over = Lines(self._page, self.window.clicked, scrolled=self.window.scroll_by)
        page = Window(over, width=_PAGE_COLUMNS, dont_extend_height=True)
        menu = CompletionsMenu(max_height=8)
        reading = Condition(lambda: self.window.page is not None)
        beside = Condition(lambda: _size()[0] >= _BESIDE_COLUMNS)
        floats = [
            Float(ConditionalContainer(page, reading & ~beside), top=1),
            Float(ConditionalContainer(page, reading & beside), top=1, right=0),
            Float(menu, xcursor=True, ycursor=True),
        ]
        return Layout(_Whole(both, floats, self._begin), focused_element=self._cards)

    def _begin(self) -> None:
        """Forget what was written for the drawing before."""
        self._view = self.window.view
        self._written.clear()

    # -- the command line

    def open_command(self) -> None:
        """Let the person type a line; a page that is open gives way."""
        self.window.close_page()
        self.window.command_open = True
        get_app().layout.focus(self._command_line)

    def search_rules(self) -> None:
        """Let the person type what they look for in the rules."""
        self.open_command()
        self.command.insert_text(spoken("rules") + " ")

    def close_command(self) -> None:
        self.window.command_open = False
        self.command.reset()
        get_app().layout.focus(self._cards)

    def _accepted(self, buffer: Buffer) -> bool:
        line = buffer.text
        self.close_command()
        self.window.run_line(line)
        return False

    # -- the parts

    def _control(
        self, write: Callable[[int, int], list[Line]], *, focusable: bool = False
    ) -> Lines:
        return Lines(write, self.window.clicked, focusable=focusable)

    def _fixed(self, part: Part, *, focusable: bool = False) -> Window:
        """A part that gets all the rows it wants."""

        def lines(width: int, _rows: int = 0) -> list[Line]:
            return [] if self._view is None else self._lines_of(part, self._view, width)

        return Window(
            self._control(lines, focusable=focusable),
            height=lambda: Dimension.exact(len(lines(_size()[0]))),
        )

    def _lines_of(self, part: Part, view: TableView, width: int) -> list[Line]:
        key = (part, width)
        if key not in self._written:
            self._written[key] = part(view, self.window.glyphs, width)
        return self._written[key]

    def _sides(self) -> Container:
        """The melds: they give way where rows are few, and the last line says so."""

        def lines(width: int, rows: int) -> list[Line]:
            view = self._view
            if view is None:
                return []
            written = melds.sides(view, self.window.glyphs, width, rows)
            if len(written) <= rows:
                return written
            return [*written[: rows - 1], (Span(" " + _("more melds: make the window higher")),)]

        return Window(self._control(lines), dont_extend_height=True)

    def _log(self, *, below: bool = False) -> Container:
        """The log takes the rows that are left; `below` the melds it has some in any case."""

        def lines(width: int, rows: int) -> list[Line]:
            view = self._view
            return [] if view is None else status.log(view, self.window.glyphs, width, rows)

        def height() -> Dimension:
            """In a pause the melds are what one wants to see."""
            view = self._view
            kept = below and view is not None and not self.window.paused
            rows = self._log_rows(view) if kept and view is not None else 0
            return Dimension(min=rows, preferred=rows)

        return Window(self._control(lines), height=height)

    def _log_rows(self, view: TableView) -> int:
        """As many rows as leave the melds room to be told apart or, if need be, to be there."""
        (columns, rows), glyphs = _size(), self.window.glyphs
        parts: list[Part] = [seats.header, seats.seats, _hand, status.status, _footer]
        if _has_room():
            parts.append(seats.own_seat)
        left = rows - sum(len(self._lines_of(part, view, columns)) for part in parts)
        for least in melds.least_rows(view, glyphs, columns):
            for log in _LOG_ROWS:
                if least + log <= left:
                    return log
        return _LOG_ROWS[-1]

    def _hints(self, width: int, _rows: int) -> list[Line]:
        """The keys that do something now, each to be clicked too. Where there is no room for all,
        those give way that are asked for least.
        """
        controls, glyphs = self.window.controls, self.window.glyphs
        commands = list(self.window.offered)
        while True:
            line = _hint_line(commands, controls, glyphs)
            yielding = [command for command in commands if command.yields]
            if width_of(line) <= width or not yielding:
                return [cut(line, width)]
            commands.remove(max(yielding, key=lambda command: command.yields))

    def _page(self, width: int, rows: int) -> list[Line]:
        """The page, above the lines of the turn and of the keys."""
        window = self.window
        if window.page is None or window.controls.snapshot is None or self._view is None:
            return []
        (columns, height), header, footer = _size(), 1, 1
        below = len(self._lines_of(status.status, self._view, columns)) + footer
        rows = min(rows, height - header - below)
        lines = page_lines(window.page, window.controls, window.glyphs, width - 4)
        room = max(1, rows - 3)
        window.most_scroll = max(0, len(lines) - room)
        first = min(window.scroll, window.most_scroll)
        shown = lines[first : first + room]
        close = _("Esc closes; the arrows scroll") if len(lines) > room else _("Esc closes")
        if window.page is Page.RULES:
            close = _("← → other subjects, / searches") + f"; {close}"
        elif window.page is Page.PHRASES:
            close = _("a number says it") + f"; {close}"
        return framed(f" {_(window.page.value)}", shown, close, window.glyphs, width)


def _hint_line(commands: Iterable[Command], controls: Controls, glyphs: Glyphs) -> Line:
    line: Line = ()
    for command in commands:
        click = Click("key", key=command.key)
        label = _(command.label) + command.detail(controls, glyphs.face)
        line += (
            Span(f" {own_key(command.key)}", "class:key", click),
            Span(f" {label} ", "", click),
        )
        if command.risky(controls):
            line += (Span("! ", "class:warn", click),)
    return line


def _hand(view: TableView, glyphs: Glyphs, width: int) -> list[Line]:
    return hand(view, glyphs, width, tall=_is_tall())


def _footer(_view: TableView, _glyphs: Glyphs, _width: int) -> list[Line]:
    return [()]


def _has_room() -> bool:
    return _size()[1] >= _ROOMY_ROWS


def _is_tall() -> bool:
    return _size()[1] >= _TALL_ROWS


def _log_columns() -> Dimension:
    """The log has a quarter of a wide screen."""
    return Dimension.exact(max(_LOG_COLUMNS, min(70, _size()[0] // 4)))


def framed(title: str, lines: list[Line], foot: str, glyphs: Glyphs, width: int) -> list[Line]:
    """Lines under a title in a frame, with a word at its foot."""
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


def _too_small(width: int, _rows: int) -> list[Line]:
    sentence = _("The window is too small: a table takes {columns} columns and {rows} rows.")
    return folded(sentence.format(columns=LEAST_COLUMNS, rows=LEAST_ROWS), width)


class _Whole(FloatContainer):
    """All parts; calls `begin` before each drawing."""

    def __init__(self, content: Container, floats: list[Float], begin: Callable[[], None]) -> None:
        super().__init__(content, floats)
        self._begin = begin

    def write_to_screen(
        self,
        screen: Screen,
        mouse_handlers: MouseHandlers,
        write_position: WritePosition,
        parent_style: str,
        erase_bg: bool,
        z_index: int | None,
    ) -> None:
        self._begin()
        super().write_to_screen(
            screen, mouse_handlers, write_position, parent_style, erase_bg, z_index
        )


class LineCompleter(Completer):
    """Offers the lines of what is legal now, and the words of what else there is."""

    def __init__(self, controls: Controls) -> None:
        self._controls = controls

    def get_completions(
        self, document: Document, complete_event: CompleteEvent
    ) -> Iterable[Completion]:
        del complete_event
        typed = document.text_before_cursor[:LONGEST_LINE]
        for line in completions(self._controls, typed):
            yield Completion(line, start_position=-len(typed))


def _size() -> tuple[int, int]:
    """Columns and rows of the terminal."""
    size = get_app().output.get_size()
    return size.columns, size.rows
