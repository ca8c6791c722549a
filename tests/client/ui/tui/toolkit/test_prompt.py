"""A line of text that is asked for on the whole screen."""

import pytest

from client.ui.tui.toolkit.dialogs import prompt_application
from client.ui.tui.toolkit.glyphs import UNICODE
from client.ui.tui.toolkit.style import style_of
from client.ui.tui.toolkit.terminal_look import TerminalLook
from tests.client.terminals import emulated, hands_on

LOOK = TerminalLook(UNICODE, style_of("plain"))
LEFT, HOME, BACKSPACE = "\x1b[D", "\x1b[H", "\x7f"


@pytest.mark.parametrize(
    ("keys", "text"),
    [
        ("", "root"),
        ("Lola", "Lola"),
        (BACKSPACE, ""),
        (f"{LEFT}x", "rooxt"),
        (f"{HOME}x", "xroot"),
        ("\x15Lola", "Lola"),
        ("\x1b[200~Lola\r\n\x1b[201~", "Lola"),
        (f"{LEFT}\x1b[200~ x \x1b[201~", "rooxt"),
    ],
)
async def test_typing_replaces_the_default_and_moving_the_cursor_edits_it(
    keys: str, text: str
) -> None:
    with emulated(40, 6) as (keyboard, emulator):
        app = prompt_application("Your name?", "root", LOOK)
        with hands_on(app, keyboard, emulator) as hands:
            assert "root" in hands.screen
            assert emulator.screen.buffer[3][0].reverse, "the default text must be selected"
            hands.press(keys)
            assert hands.screen.splitlines()[3].rstrip() == text
