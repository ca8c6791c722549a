"""Lines of spans on the screen of prompt_toolkit, drawn with little work, and clicks on them.

A `Window` of prompt_toolkit handles a line character by character, because it may have to wrap or
scroll the line, or find a cursor in it. None of that is needed here, so each text is split into
cells only once, and cached.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from itertools import chain, repeat
from typing import TYPE_CHECKING, Any

from prompt_toolkit.data_structures import Point
from prompt_toolkit.layout import UIContent, UIControl, Window
from prompt_toolkit.layout.dimension import AnyDimension
from prompt_toolkit.layout.mouse_handlers import MouseHandlers
from prompt_toolkit.layout.screen import Char, Screen, WritePosition
from prompt_toolkit.mouse_events import MouseEvent, MouseEventType

from client.ui.tui.toolkit.spans import Click, Line

if TYPE_CHECKING:
    from prompt_toolkit.key_binding.key_bindings import NotImplementedOrNone


Write = Callable[[int, int], list[Line]]
"""Function that returns the lines to show for a width and a height."""

_WHEEL = {MouseEventType.SCROLL_UP: -3, MouseEventType.SCROLL_DOWN: 3}
"""Number of lines by which one step of the mouse wheel scrolls."""

_CACHED_TEXTS = 4_096
_CACHED_CHARACTERS = 16_384


def ignore(_event: object) -> None:
    """Do nothing: clicks or turns of the wheel have no meaning here."""


class _Measured(UIControl):
    """The content of a `LinesWindow` as prompt_toolkit sees it: a height, and no characters."""

    def __init__(self, write: Write) -> None:
        self._write = write

    def preferred_height(self, width: int, max_available_height: int, *_: Any) -> int:
        return len(self._write(width, max_available_height))

    def create_content(self, width: int, height: int) -> UIContent:
        raise NotImplementedError("drawn by LinesWindow")


class LinesWindow(Window):
    """A window that shows the lines that `write` returns.

    `on_click` is called with each click on a span, `on_scroll` with the number of lines by which
    the wheel scrolls. `cursor_row` is the row of the hidden cursor.
    """

    def __init__(
        self,
        write: Write,
        on_click: Callable[[Click], None] = ignore,
        on_scroll: Callable[[int], None] = ignore,
        *,
        height: AnyDimension = None,
        dont_extend_height: bool = False,
    ) -> None:
        content = _Measured(write)
        super().__init__(content, height=height, dont_extend_height=dont_extend_height)
        self.cursor_row = 0
        self._write = write
        self._on_click = on_click
        self._on_scroll = on_scroll
        self._shown: Sequence[Line] = ()

    def write_to_screen(
        self,
        screen: Screen,
        mouse_handlers: MouseHandlers,
        write_position: WritePosition,
        parent_style: str,
        erase_bg: bool,
        z_index: int | None,
    ) -> None:
        del erase_bg  # nothing that was there before shows through
        draw = partial(self._draw, screen, mouse_handlers, write_position, parent_style)
        if z_index:
            screen.draw_with_z_index(z_index, draw)
        else:
            draw()

    def _draw(
        self, screen: Screen, mouse_handlers: MouseHandlers, area: WritePosition, style: str
    ) -> None:
        columns = range(area.xpos, area.xpos + area.width)
        rows = range(area.ypos, area.ypos + area.height)
        self._shown = self._write(area.width, area.height)[: area.height]
        blanks = repeat(_BLANK)
        clear_cut_characters(screen, area)
        for row, line in zip(rows, chain(self._shown, repeat(())), strict=False):
            cells = screen.data_buffer[row]
            cells.update(zip(columns, chain(_cells(line), blanks), strict=False))
            if columns and cells[columns[-1]].width > 1:
                cells[columns[-1]] = _BLANK
        screen.fill_area(area, style)
        screen.height = max(screen.height, rows.stop)
        screen.visible_windows_to_write_positions[self] = area
        screen.set_cursor_position(self, Point(area.xpos, area.ypos + self.cursor_row))
        handlers = dict.fromkeys(columns, partial(self._mouse_at, area))
        for row in rows:
            mouse_handlers.mouse_handlers[row].update(handlers)

    def _mouse_at(self, area: WritePosition, event: MouseEvent) -> "NotImplementedOrNone":
        if event.event_type in _WHEEL:
            self._on_scroll(_WHEEL[event.event_type])
            return None
        row = event.position.y - area.ypos
        if event.event_type is not MouseEventType.MOUSE_UP or row >= len(self._shown):
            return NotImplemented
        column = event.position.x - area.xpos
        for span in self._shown[row]:
            column -= span.width
            if column < 0:
                if span.click is not None:
                    self._on_click(span.click)
                break
        return None


def clear_cut_characters(screen: Screen, area: WritePosition) -> None:
    """Clear wide characters that the edge of an area cuts in half.

    A terminal cannot show the half of a character that is left beside the area.
    """
    for row in range(area.ypos, area.ypos + area.height):
        cells = screen.data_buffer[row]
        for column in (area.xpos, area.xpos + area.width):
            cell = cells.get(column)
            if cell is not None and not cell.char:
                cells[column - 1] = cells[column] = _BLANK


def _cells(line: Line) -> list[Char]:
    """Return a character for each column."""
    cells: list[Char] = []
    for span in line:
        cells += _text_cells(span.text, span.style)
    return cells


@lru_cache(_CACHED_TEXTS)
def _text_cells(text: str, style: str) -> tuple[Char, ...]:
    """Return a character for each column.

    A wide character is followed by an empty one. A mark without a width, such as an accent, is put
    on the character before it; at the beginning of the text it is left out.
    """
    cells: list[Char] = []
    last = 0
    for character in text:
        char = _character(character, style)
        if char.width:
            last = len(cells)
            cells += (char, *(char.width - 1) * (_character("", ""),))
        elif cells:
            cells[last] = _character(cells[last].char + character, style)
    return tuple(cells)


@lru_cache(_CACHED_CHARACTERS)
def _character(text: str, style: str) -> Char:
    return Char(text, style)


_BLANK = _character(" ", "")
