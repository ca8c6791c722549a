"""A line of text that is asked for on the whole screen."""

import pytest

from client.ui.tui.toolkit.dialogs import ask_text, prompt_application
from tests.client.terminals import emulated, hands_on, plain_look

LOOK = plain_look()
LEFT, HOME, BACKSPACE = "\x1b[D", "\x1b[H", "\x7f"


@pytest.mark.parametrize(
    ("keys", "text", "results"),
    [
        *(("", "root", []), ("Lola", "Lola", []), (BACKSPACE, "", []), (f"{LEFT}x", "rooxt", [])),
        *((f"{HOME}x", "xroot", []), ("\x15Lola", "Lola", [])),
        ("\x1b[200~Lola\r\n\x1b[201~", "Lola", []),
        (f"{LEFT}\x1b[200~ x \x1b[201~", "rooxt", []),
        *(("\r", "root", ["root"]), ("Lola\r", "Lola", ["Lola"])),
        *(("Lola\x1b", "Lola", [None]), ("Lola\x03", "Lola", [None])),
        (300 * "x" + "\r", None, [200 * "x"]),
    ],
)
async def test_typing_replaces_or_edits_the_default_and_enter_takes_the_text(
    keys: str, text: str | None, results: list[str | None]
) -> None:
    """After the cursor was moved, typing edits the default. Escape goes back without a text."""
    with emulated(40, 6) as (keyboard, emulator):
        app = prompt_application("Your name?", "root", LOOK)
        taken: list[object] = []
        app.exit = lambda *, result: taken.append(result)  # type: ignore[method-assign, assignment]
        with hands_on(app, keyboard, emulator) as hands:
            assert "root" in hands.screen
            assert emulator.screen.buffer[3][0].reverse, "the default text must be selected"
            hands.press(keys)
            shown = hands.screen.splitlines()[3].rstrip()
    assert text is None or shown == text
    assert taken == results


async def test_a_long_question_is_shown_whole_above_the_text() -> None:
    with emulated(20, 7) as (keyboard, emulator):
        app = prompt_application("What do friends call you?", "Ana", LOOK)
        with hands_on(app, keyboard, emulator) as hands:
            assert hands.screen == "\n  What do friends\n  call you?\n\nAna\n\n"


async def test_the_linear_mode_asks_for_one_typed_line(capsys: pytest.CaptureFixture[str]) -> None:
    for typed, before, asked, result in (
        (("Lola", "Eva"), "root", "Your name? (root) > ", "Lola"),
        (("",), "root", "Your name? (root) > ", None),
        ((300 * "x",), "", "Your name? > ", 200 * "x"),
        ((), "", "Your name? > ", None),
    ):
        assert await ask_text("Your name?", before, plain_look(typed)) == result
        assert capsys.readouterr().out == asked
