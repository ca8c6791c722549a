"""The screen of an application, at most 640 by 320, whatever size the terminal claims."""

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import DummyInput
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.layout import Layout, Window
from prompt_toolkit.output import DummyOutput

from client.ui.tui.terminal.whole_screen import MOST_COLUMNS, MOST_ROWS, whole_screen


def test_an_absurd_terminal_size_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    for said, drawn in (
        *(((24, 80), (24, 80)), ((24, 65_535), (24, MOST_COLUMNS))),
        ((65_535, 80), (MOST_ROWS, 80)),
    ):
        monkeypatch.setattr(DummyOutput, "get_size", lambda _, said=said: Size(*said))
        with create_app_session(input=DummyInput(), output=DummyOutput()):
            app = whole_screen(Layout(Window()), KeyBindings(), None, None)
            assert app.output.get_size() == Size(*drawn)
