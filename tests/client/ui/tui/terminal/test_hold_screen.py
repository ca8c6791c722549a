"""Several applications in a row on one screen of the terminal."""

from collections.abc import Iterator
from typing import Any, cast

import pytest
from prompt_toolkit.application import Application
from prompt_toolkit.application.current import create_app_session, get_app_session
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import FormattedTextControl, Layout, Window
from prompt_toolkit.output.vt100 import Vt100_Output

from client.ui.tui.terminal.hold_screen import hold_screen
from tests.client.terminals import StandardOutput, emulated

ENTER, LEAVE, TOP = "\x1b[?1049h", "\x1b[?1049l", "\x1b[0;0H"


class Written(StandardOutput):
    """An output that keeps the text."""

    def __init__(self) -> None:
        self.text = ""

    def write(self, data: str) -> int:
        self.text += data
        return len(data)


@pytest.fixture
def written() -> Written:
    return Written()


@pytest.fixture
def keyboard() -> Iterator[PipeInput]:
    with create_pipe_input() as made, create_app_session(input=made):
        yield made


def output_to(written: Written) -> Vt100_Output:
    return Vt100_Output(cast(Any, written), lambda: Size(24, 80), term="xterm", enable_cpr=False)


def application(crash: Exception | None = None) -> Application[None]:
    keys = KeyBindings()

    @keys.add("x")
    def _exit(event: KeyPressEvent) -> None:
        event.app.exit(exception=crash) if crash else event.app.exit()

    return Application(key_bindings=keys, full_screen=True)


def test_hold_screen_enters_and_leaves_the_alternate_screen_once(
    written: Written, keyboard: PipeInput
) -> None:
    with hold_screen(output_to(written)):
        for _ in range(3):
            keyboard.send_text("x")
            application().run()
        assert LEAVE not in written.text
    assert [written.text.count(code) for code in (ENTER, TOP, LEAVE)] == [1, 2, 1]
    assert written.text.endswith(LEAVE)


def test_the_screen_stays_unchanged_between_two_applications() -> None:
    """At its end an application would draw below its last line, which would scroll the screen."""
    seen: list[str] = []
    with emulated(40, 5) as (keyboard, emulator), hold_screen(get_app_session().output):
        keys = KeyBindings()

        @keys.add("x")
        def _exit(event: KeyPressEvent) -> None:
            seen.append(emulator.text)
            event.app.exit()

        rows = FormattedTextControl("\n".join("abcde"))
        keyboard.send_text("x")
        layout = Layout(Window(rows))
        Application(layout=layout, key_bindings=keys, full_screen=True).run()
        assert seen == ["a\nb\nc\nd\ne"]
        assert emulator.text == seen[0]


def test_the_screen_is_left_after_an_error(written: Written, keyboard: PipeInput) -> None:
    keyboard.send_text("x")
    with pytest.raises(KeyError), hold_screen(output_to(written)):
        application(KeyError()).run()
    assert written.text.endswith(LEAVE)


@pytest.mark.usefixtures("keyboard")
def test_suspending_the_program_shows_the_screen_of_the_shell(written: Written) -> None:
    with hold_screen(output_to(written)):
        app = application()
        app.renderer.render(app, app.layout)
        app.renderer.erase()  # as before Ctrl-Z suspends the program
        assert LEAVE in written.text
        app.renderer.render(app, app.layout)
    assert written.text.count(ENTER) == written.text.count(LEAVE) == 2


def test_hold_screen_does_nothing_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with hold_screen():
        pass
    assert capsys.readouterr().out == ""


def test_hold_screen_takes_the_terminal_by_default(
    monkeypatch: pytest.MonkeyPatch, written: Written
) -> None:
    made = output_to(written)
    monkeypatch.setattr("client.ui.tui.terminal.hold_screen.create_output", lambda: made)
    monkeypatch.setattr("sys.stdout", written)
    with hold_screen():
        get_app_session().output.enter_alternate_screen()
    assert written.text == f"{ENTER}\x1b[H{LEAVE}"
    monkeypatch.setattr(written, "isatty", lambda: False)
    with hold_screen():
        assert get_app_session().output is not made
