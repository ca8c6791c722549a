"""A control of prompt_toolkit that shows lines of spans and knows what a click on them means."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.layout import UIContent, UIControl
from prompt_toolkit.layout.controls import GetLinePrefixCallable
from prompt_toolkit.mouse_events import MouseEvent, MouseEventType

from client.ui.tui.toolkit.spans import Click, Line

if TYPE_CHECKING:
    from prompt_toolkit.key_binding.key_bindings import NotImplementedOrNone


_WHEEL = {MouseEventType.SCROLL_UP: -3, MouseEventType.SCROLL_DOWN: 3}
"""Lines that one step of the mouse's wheel scrolls."""


class Lines(UIControl):
    """Shows what `write` gives for a width and a height; `clicked` is told of clicks, `scrolled` by
    how many lines the wheel was turned.
    """

    def __init__(
        self,
        write: Callable[[int, int], list[Line]],
        clicked: Callable[[Click], None],
        *,
        focusable: bool = False,
        scrolled: Callable[[int], None] | None = None,
    ) -> None:
        self._write = write
        self._clicked = clicked
        self._focusable = focusable
        self._scrolled = scrolled
        self._shown: list[Line] = []

    def is_focusable(self) -> bool:
        return self._focusable

    def preferred_height(
        self,
        width: int,
        max_available_height: int,
        wrap_lines: bool,
        get_line_prefix: GetLinePrefixCallable | None,
    ) -> int:
        del wrap_lines, get_line_prefix
        return len(self._write(width, max_available_height))

    def create_content(self, width: int, height: int) -> UIContent:
        self._shown = self._write(width, height)[:height]
        return UIContent(
            get_line=lambda number: _fragments(self._shown[number]),
            line_count=len(self._shown),
            show_cursor=False,
        )

    def mouse_handler(self, mouse_event: MouseEvent) -> "NotImplementedOrNone":
        if self._scrolled is not None and mouse_event.event_type in _WHEEL:
            self._scrolled(_WHEEL[mouse_event.event_type])
            return None
        if mouse_event.event_type is not MouseEventType.MOUSE_UP:
            return NotImplemented
        click = self._at(mouse_event.position.x, mouse_event.position.y)
        if click is None:
            return NotImplemented
        self._clicked(click)
        return None

    def _at(self, column: int, row: int) -> Click | None:
        """What lies there."""
        if not 0 <= row < len(self._shown):
            return None
        for span in self._shown[row]:
            column -= span.width
            if column < 0:
                return span.click
        return None


def _fragments(line: Line) -> StyleAndTextTuples:
    return [(span.style, span.text) for span in line]
