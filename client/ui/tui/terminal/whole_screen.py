"""An application on the whole screen, and the keys that every such application has."""

from typing import Any

from prompt_toolkit.application import Application
from prompt_toolkit.filters import buffer_has_focus
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent, merge_key_bindings
from prompt_toolkit.layout import Layout
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.styles import BaseStyle

from client.ui.tui.terminal.crash_and_suspend import suspend


def whole_screen(
    layout: Layout,
    keys: KeyBindings,
    style: BaseStyle | None,
    colours: ColorDepth | None,
    *,
    mouse: bool = False,
) -> Application[Any]:
    """Return an application that shows the layout.

    Ctrl-Z gives the terminal back to the shell, and pasted text does nothing where nothing is
    typed.
    """
    return Application(
        layout=layout,
        key_bindings=merge_key_bindings([keys, _keys_of_all()]),
        style=style,
        color_depth=colours,
        full_screen=True,
        mouse_support=mouse,
    )


def _keys_of_all() -> KeyBindings:
    keys = KeyBindings()

    @keys.add("c-z")
    def _suspend(_event: KeyPressEvent) -> None:
        suspend()

    @keys.add("<bracketed-paste>", filter=~buffer_has_focus)
    def _drop(_event: KeyPressEvent) -> None:
        """Drop pasted text, because each character of it would be a key."""

    return keys
