"""The menu of what completes the line that is typed."""

from typing import TYPE_CHECKING

from prompt_toolkit.application import get_app
from prompt_toolkit.filters import has_completions, is_done
from prompt_toolkit.layout import ConditionalContainer, Dimension, Window
from prompt_toolkit.layout.margins import ScrollbarMargin
from prompt_toolkit.layout.menus import CompletionsMenuControl
from prompt_toolkit.mouse_events import MouseEvent

if TYPE_CHECKING:
    from prompt_toolkit.key_binding.key_bindings import NotImplementedOrNone

_LEAST_COLUMNS, _MOST_ROWS = 8, 8
_ABOVE_ALL = 10**8
"""The z-index: what lies over others has a lower one."""


def completion_menu() -> ConditionalContainer:
    """Shown while there are completions."""
    menu = Window(
        _Completions(),
        width=Dimension(min=_LEAST_COLUMNS),
        height=Dimension(min=1, max=_MOST_ROWS),
        right_margins=[ScrollbarMargin()],
        dont_extend_width=True,
        style="class:completion-menu",
        z_index=_ABOVE_ALL,
    )
    return ConditionalContainer(menu, has_completions & ~is_done)


class _Completions(CompletionsMenuControl):
    """Of several clicks that come at once, or of a click that comes with keys, prompt_toolkit's
    own control takes it for granted that what was drawn is still there.
    """

    def mouse_handler(self, mouse_event: MouseEvent) -> "NotImplementedOrNone":
        completing = get_app().current_buffer.complete_state
        if completing is None or mouse_event.position.y >= len(completing.completions):
            return NotImplemented
        return super().mouse_handler(mouse_event)
