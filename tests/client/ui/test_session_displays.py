"""The display of a person: the restoring of a table, and lines printed outside the screen."""

import threading
from collections.abc import Callable
from contextlib import nullcontext

import pytest
import trio

from client.ui.session_displays import PersonDisplay
from client.ui.tui.toolkit.terminal_look import TerminalLook
from p2p.table.node_updates import Progress, unless_cancelled
from tests.client.terminals import Emulator, emulated, plain_look
from tests.patience import PATIENCE

LOOK = plain_look()
_LOOKS = 1000 * PATIENCE  # the test looks at the screen once per millisecond


async def restored(emulator: Emulator, look_for: str, then: Callable[[Progress], None]) -> bool:
    """Restore a table: report progress until the screen shows `look_for`, and then call `then`.

    Return False if the person has cancelled it.
    """
    wait = threading.Event()

    def take_up(progress: Progress) -> None:
        for _look in range(_LOOKS):
            progress(1234, 5000)
            if look_for in emulator.text:
                return then(progress)
            wait.wait(0.001)
        raise AssertionError(emulator.text)

    async def restore(progress: Progress) -> None:
        await trio.to_thread.run_sync(take_up, unless_cancelled(progress))

    return await PersonDisplay(LOOK).restoring(restore)


async def test_restoring_shows_progress_and_swallows_keys() -> None:
    """Keys that are pressed meanwhile are not echoed on the screen."""
    with emulated(60, 10) as (keyboard, emulator):
        keyboard.send_text("dxm")
        assert await restored(emulator, "Entry 1,234 of 5,000", lambda _progress: None)
        assert "Taking up the table" in emulator.text
        assert "dxm" not in emulator.text


async def test_escape_cancels_restoring() -> None:
    with emulated(60, 10) as (keyboard, emulator):

        def escape(progress: Progress) -> None:
            keyboard.send_text("\x1b")
            for _wait in range(_LOOKS):
                progress(1234, 5000)
                threading.Event().wait(0.001)

        assert not await restored(emulator, "Taking up", escape)


@pytest.mark.parametrize("own_screen", [True, False])
def test_lines_told_while_the_screen_is_open_are_printed_later(
    monkeypatch: pytest.MonkeyPatch, own_screen: bool
) -> None:
    """A display that opens the screen itself prints the lines when it closes the screen.

    Another display keeps them in `unsaid`.
    """
    said: list[str] = []
    monkeypatch.setattr(TerminalLook, "say", lambda _look, line: said.append(line))
    monkeypatch.setattr("client.ui.session_displays.hold_screen", nullcontext)
    display = PersonDisplay(LOOK, own_screen)
    display.tell("before")
    with display.hold_screen():
        display.tell("within")
        assert said == (["before"] if own_screen else [])
    display.tell("after")
    assert said == (["before", "within", "after"] if own_screen else [])
    assert display.unsaid == ([] if own_screen else ["before", "within", "after"])
    with display.hold_screen():
        display.tell("again")
    assert said == (["before", "within", "after", "again"] if own_screen else [])
