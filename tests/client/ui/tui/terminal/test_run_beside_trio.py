"""A prompt_toolkit application in its thread beside Trio, and all its ways to end."""

import signal
import sys
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest
import trio
from prompt_toolkit.input import PipeInput

from client.session.ending_signals import Interrupted
from client.session.run_until_signal import until_signalled
from client.ui.tui.terminal.exit_and_suspend import continued
from client.ui.tui.terminal.run_beside_trio import Screen
from p2p.background_task import beside
from tests.client.terminals import Emulator
from tests.client.ui.tui.terminal.little_application import little_application
from tests.patience import PATIENCE


class Little:
    """An application with one line and a few keys."""

    def __init__(self, write: Callable[[], str] = lambda: "hello") -> None:
        self.app = little_application(write)
        self.drawn = trio.Event()
        token = trio.lowlevel.current_trio_token()
        self.app.after_render += lambda _: token.run_sync_soon(self.drawn.set)
        self.screen: Screen[str] = Screen(self.app)


@asynccontextmanager
async def running(write: Callable[[], str] = lambda: "hello") -> AsyncIterator[Little]:
    """Return an application whose screen runs, and has been drawn."""
    little = Little(write)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(little.screen.run)
        await little.drawn.wait()
        yield little


async def test_a_screen_returns_the_result_of_its_application(
    terminal: tuple[PipeInput, Emulator],
) -> None:
    little = Little()
    with trio.fail_after(PATIENCE):
        terminal[0].send_text("q")
        assert await little.screen.run() == "quit"


async def test_a_running_screen_shortens_the_thread_switch_interval(
    terminal: tuple[PipeInput, Emulator],
) -> None:
    before, during = sys.getswitchinterval(), []
    little = Little()
    little.screen.call(lambda: during.append(sys.getswitchinterval()))
    terminal[0].send_text("q")
    with trio.fail_after(PATIENCE):
        await little.screen.run()
    assert max(during) < 0.001 < before == sys.getswitchinterval()


async def test_calls_made_before_the_screen_runs_are_kept(
    terminal: tuple[PipeInput, Emulator],
) -> None:
    little = Little()
    called: list[int] = []
    little.screen.call(called.append, 1)
    terminal[0].send_text("q")
    with trio.fail_after(PATIENCE):
        await little.screen.run()
    assert called == [1]


async def test_a_call_from_trio_draws_the_screen_anew(terminal: tuple[PipeInput, Emulator]) -> None:
    text = ["before"]
    with trio.fail_after(PATIENCE):
        async with running(lambda: text[0]) as little:
            assert "before" in terminal[1].text
            little.drawn = trio.Event()
            little.screen.call(lambda: text.__setitem__(0, "after"))
            while "after" not in terminal[1].text:
                await little.drawn.wait()
                little.drawn = trio.Event()
            little.screen.stop()


@pytest.mark.skipif(not hasattr(signal, "SIGWINCH"), reason="Windows has no such signal")
async def test_a_new_size_of_the_terminal_is_used_at_once(
    terminal: tuple[PipeInput, Emulator],
) -> None:
    resized = trio.Event()
    token = trio.lowlevel.current_trio_token()
    with trio.fail_after(PATIENCE):
        async with running() as little:
            little.app._on_resize = lambda: token.run_sync_soon(resized.set)  # type: ignore[method-assign]
            signal.raise_signal(signal.SIGWINCH)
            await resized.wait()
            little.screen.stop()


@pytest.mark.skipif(not hasattr(signal, "SIGCONT"), reason="Windows cannot suspend a process")
async def test_a_screen_notes_when_the_process_is_resumed(
    terminal: tuple[PipeInput, Emulator],
) -> None:
    continued.clear()
    with trio.fail_after(PATIENCE):
        async with running() as little:
            signal.raise_signal(signal.SIGCONT)
            while not continued.is_set():
                await trio.sleep(0.001)
            little.screen.stop()


async def test_a_screen_can_be_stopped_at_any_time(terminal: tuple[PipeInput, Emulator]) -> None:
    early = Little()
    with trio.fail_after(PATIENCE):
        early.screen.stop()
        await early.screen.run()
        async with running() as little:
            little.screen.stop()
    assert not early.app.is_running
    assert not little.app.is_running


async def test_a_cancelled_screen_ends_before_its_task(
    terminal: tuple[PipeInput, Emulator],
) -> None:
    little = Little()
    with trio.fail_after(PATIENCE):
        async with beside(little.screen.run):
            await little.drawn.wait()
    assert not little.app.is_running


async def test_run_raises_an_error_in_a_key(terminal: tuple[PipeInput, Emulator]) -> None:
    little = Little()
    terminal[0].send_text("b")
    with trio.fail_after(PATIENCE), pytest.raises(ZeroDivisionError):
        await little.screen.run()
    assert not little.app.is_running


async def test_run_raises_an_error_in_drawing(terminal: tuple[PipeInput, Emulator]) -> None:
    broken: list[int] = []

    def write() -> str:
        return "fine" if not broken else f"{1 // 0}"

    shown: list[Little] = []

    async def run() -> None:
        async with running(write) as little:
            shown.append(little)
            little.screen.call(broken.append, 1)

    with trio.fail_after(PATIENCE), pytest.raises(ZeroDivisionError):
        await until_signalled(run)
    assert not shown[0].app.is_running


async def test_a_lost_terminal_interrupts_the_session(terminal: tuple[PipeInput, Emulator]) -> None:
    async def run() -> None:
        async with running():
            terminal[0].close()

    with trio.fail_after(PATIENCE), pytest.raises(Interrupted):
        await until_signalled(run)


async def test_many_screens_leave_no_threads(terminal: tuple[PipeInput, Emulator]) -> None:
    with trio.fail_after(PATIENCE):
        for turn in range(28):
            little = Little()
            async with beside(little.screen.run):
                for _ in range(turn % 7):
                    await trio.lowlevel.checkpoint()
    assert threading.active_count() < 14


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_second_signal_does_not_interrupt_again(number: signal.Signals) -> None:
    cleaned: list[str] = []

    async def work() -> None:
        try:
            signal.raise_signal(number)
            await trio.sleep_forever()
        finally:
            signal.raise_signal(number)
            with trio.CancelScope(shield=True):
                await trio.lowlevel.checkpoint()
            cleaned.append("up")

    with trio.fail_after(PATIENCE), pytest.raises(Interrupted):
        await until_signalled(work)
    assert cleaned == ["up"]


async def test_a_single_error_is_raised_without_its_groups() -> None:
    async def fail() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(trio.sleep_forever)
            raise LookupError("gone")

    with pytest.raises(LookupError):
        await until_signalled(fail)
