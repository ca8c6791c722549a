"""The menu of completions for the line that is typed."""

from functools import partial
from typing import TYPE_CHECKING, Any

from prompt_toolkit.application import get_app
from prompt_toolkit.filters import has_completions, is_done
from prompt_toolkit.layout import ConditionalContainer, Dimension, Window
from prompt_toolkit.layout.margins import ScrollbarMargin
from prompt_toolkit.layout.menus import CompletionsMenuControl
from prompt_toolkit.layout.mouse_handlers import MouseHandlers
from prompt_toolkit.layout.screen import Screen, WritePosition
from prompt_toolkit.mouse_events import MouseEvent

from client.ui.tui.toolkit.lines import clear_cut_characters

if TYPE_CHECKING:
    from prompt_toolkit.key_binding.key_bindings import NotImplementedOrNone

_LEAST_COLUMNS, _MOST_ROWS = 8, 8
_ABOVE_ALL = 10**8
"""A z-index above those of all other windows."""


def completion_menu() -> ConditionalContainer:
    """Return the menu, which is shown while there are completions."""
    menu = _MenuWindow(
        _Completions(),
        width=Dimension(min=_LEAST_COLUMNS),
        height=Dimension(min=1, max=_MOST_ROWS),
        right_margins=[ScrollbarMargin()],
        style="class:completion-menu",
        z_index=_ABOVE_ALL,
    )
    return ConditionalContainer(menu, has_completions & ~is_done)


class _MenuWindow(Window):
    """The window of the menu, which may cut wide characters of the window below it in half."""

    def write_to_screen(
        self,
        screen: Screen,
        mouse_handlers: MouseHandlers,
        write_position: WritePosition,
        *rest: Any,
        **named: Any,
    ) -> None:
        # First clear the characters that the menu would cut, then draw the menu: what has the same
        # z-index is drawn in the order of the calls, and `super()` makes the second call.
        screen.draw_with_z_index(_ABOVE_ALL, partial(clear_cut_characters, screen, write_position))
        super().write_to_screen(screen, mouse_handlers, write_position, *rest, **named)


class _Completions(CompletionsMenuControl):
    """The content of the menu, safe against clicks on completions that are gone.

    If several clicks come at once, or a click comes with keys, prompt_toolkit's own control assumes
    that the completions it drew are still there.
    """

    def mouse_handler(self, mouse_event: MouseEvent) -> "NotImplementedOrNone":
        completing = get_app().current_buffer.complete_state
        if completing is None or mouse_event.position.y >= len(completing.completions):
            return NotImplemented
        return super().mouse_handler(mouse_event)
