"""Work that takes a while: its progress, and how a person cancels it."""

import threading

import pytest
import trio

from client.session.ending_signals import Interrupted
from client.ui.tui.terminal.run_beside_trio import Screen
from client.ui.tui.toolkit.dialogs import OnProgress, while_waiting, while_working
from client.ui.tui.toolkit.glyphs import ASCII
from tests.client.terminals import emulated, plain_look

LOOK = plain_look()
LINES = plain_look((), ASCII)


async def test_while_working_returns_the_result_or_raises_the_error_of_the_work() -> None:
    def work(on_progress: OnProgress) -> int:
        on_progress("half of it")
        return 7

    def failing(_on_progress: OnProgress) -> None:
        raise OSError(13, "no")

    with emulated(60, 10):
        assert await while_working("Counting", work, LOOK) == 7
        with pytest.raises(OSError, match="no"):
            await while_working("Counting", failing, LOOK)


async def test_escape_ends_the_work_at_its_next_progress_report() -> None:
    told = 0
    wait = threading.Event()

    with emulated(60, 10) as (keyboard, emulator):

        def work(on_progress: OnProgress) -> int:
            nonlocal told
            for told in range(60_000):
                on_progress(f"{told} of 60000")
                wait.wait(0.001)
                if "Counting" in emulator.text:
                    keyboard.send_text("\x1b")
            return told

        assert await while_working("Counting", work, LOOK) is None
        assert "Esc goes back." in emulator.text
    assert told < 59_999


async def test_a_lost_terminal_interrupts_the_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    async def go(_: Screen[None]) -> None:
        raise Interrupted("The terminal is gone.")

    async def wait(_: OnProgress) -> None:
        await trio.sleep_forever()

    monkeypatch.setattr(Screen, "run", go)
    with emulated(60, 10), pytest.raises(Interrupted):
        await while_waiting("Waiting", wait, LOOK)


async def test_escape_ends_a_wait_whose_long_text_is_shown_whole(
    capsys: pytest.CaptureFixture[str],
) -> None:
    ended = False

    with emulated(40, 10) as (keyboard, emulator):

        async def wait(on_progress: OnProgress) -> bool:
            nonlocal ended
            try:
                while "by itself." not in emulator.text:
                    on_progress("The table is busy: the program tries again by itself.")
                    await trio.sleep(0.001)
                keyboard.send_text("\x1b")
                await trio.sleep_forever()
                return True
            finally:
                ended = True

        assert await while_waiting("Waiting", wait, LOOK) is None
    assert ended
    assert capsys.readouterr().out == "", "the progress is on the screen only"


async def test_in_lines_a_wait_prints_each_new_line_of_progress_unless_it_is_quiet(
    capsys: pytest.CaptureFixture[str],
) -> None:
    async def wait(on_progress: OnProgress) -> str:
        for line in ("Waiting", "one", "one", "two", "one"):
            on_progress(line)
        return "done"

    for quiet, told in ((False, "Waiting\none\ntwo\none\n"), (True, "Waiting\n")):
        assert await while_waiting("Waiting", wait, LINES, quiet=quiet) == "done"
        assert capsys.readouterr().out == told


async def test_in_lines_work_prints_only_its_title(capsys: pytest.CaptureFixture[str]) -> None:
    def work(on_progress: OnProgress) -> str:
        on_progress("half of it")
        return "done"

    assert await while_working("Checking …", work, LINES) == "done"
    assert capsys.readouterr().out == "Checking ...\n"
