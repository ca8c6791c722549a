"""A small prompt_toolkit application, with a key for each way to end."""

from prompt_toolkit.application import Application
from prompt_toolkit.formatted_text import AnyFormattedText
from prompt_toolkit.input import PipeInput
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import FormattedTextControl, Layout, Window

from tests.client.terminals import Emulator

Terminal = tuple[PipeInput, Emulator]
"""A keyboard, and the screen of a terminal."""


def little_application(text: AnyFormattedText = "hello") -> Application[str]:
    """Return an application that shows the text, ends with `q`, and crashes with `b`."""
    keys = KeyBindings()

    @keys.add("q")
    def _quit(event: KeyPressEvent) -> None:
        event.app.exit(result="quit")

    @keys.add("b")
    def _break(_event: KeyPressEvent) -> None:
        raise ZeroDivisionError("broken")

    window = Window(FormattedTextControl(text))
    return Application(layout=Layout(window), key_bindings=keys, full_screen=True)
