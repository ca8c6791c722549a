"""An application on the whole screen, and the keys that every such application has."""

from collections.abc import Callable, Mapping
from typing import Any

from prompt_toolkit.application import Application
from prompt_toolkit.application.current import get_app_session
from prompt_toolkit.data_structures import Size
from prompt_toolkit.filters import buffer_has_focus
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent, merge_key_bindings
from prompt_toolkit.layout import Layout
from prompt_toolkit.output import ColorDepth, Output
from prompt_toolkit.styles import BaseStyle

from client.ui.tui.terminal.exit_and_suspend import suspend

Press = Callable[[KeyPressEvent], None]
"""The action of a key."""

MOST_COLUMNS = 640
MOST_ROWS = 320
"""The largest screen that is drawn: more than any display shows."""


def whole_screen(
    layout: Layout,
    keys: KeyBindings,
    style: BaseStyle | None,
    colours: ColorDepth | None,
    *,
    mouse: bool = False,
) -> Application[Any]:
    """Return an application that shows the layout.

    Ctrl-Z gives the terminal back to the shell. Pasted text is dropped, unless a line of text is
    being typed.
    """
    return Application(
        layout=layout,
        key_bindings=merge_key_bindings([keys, _keys_of_all()]),
        style=style,
        color_depth=colours,
        full_screen=True,
        mouse_support=mouse,
        output=_BoundedOutput(get_app_session().output),  # type: ignore[arg-type]
    )


class _BoundedOutput:
    """An output with a maximum size, whatever size the terminal claims.

    A terminal may say that it has 65,535 columns, and each of them would be drawn.
    """

    def __init__(self, output: Output) -> None:
        self._output = output

    def __getattr__(self, name: str) -> Any:
        return getattr(self._output, name)

    def get_size(self) -> Size:
        rows, columns = self._output.get_size()
        return Size(rows=min(rows, MOST_ROWS), columns=min(columns, MOST_COLUMNS))


def key_bindings(actions: Mapping[str, Press]) -> KeyBindings:
    """Return the bindings of keys to their actions; "enter space" names two keys for one action.

    Esc acts at once, although the codes of other keys begin with it.
    """
    keys = KeyBindings()
    for names, press in actions.items():
        for name in names.split():
            keys.add(name, eager=name == "escape")(press)
    return keys


def _keys_of_all() -> KeyBindings:
    keys = key_bindings({"c-z": lambda _event: suspend()})

    @keys.add("<bracketed-paste>", filter=~buffer_has_focus)
    def _drop(_event: KeyPressEvent) -> None:
        """Drop pasted text, because each character of it would be a key."""

    return keys
