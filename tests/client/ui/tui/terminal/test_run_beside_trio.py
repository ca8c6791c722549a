"""A prompt_toolkit application in its thread beside Trio, and all its ways to end."""

import signal
import sys
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest
import trio

from client.session.ending_signals import Interrupted
from client.session.run_until_signal import until_signalled
from client.ui.tui.terminal.exit_and_suspend import continued
from client.ui.tui.terminal.run_beside_trio import Screen
from p2p.background_task import beside
from tests.client.ui.tui.terminal.little_application import Terminal, little_application
from tests.patience import PATIENCE


class Little:
    """An application with one line and a few keys."""

    def __init__(self, write: Callable[[], str] = lambda: "hello") -> None:
        self.app = little_application(write)
        self.drawn = trio.Event()
        token = trio.lowlevel.current_trio_token()
        self.app.after_render += lambda _: token.run_sync_soon(self.drawn.set)
        self.screen: Screen[str] = Screen(self.app)

    async def run(self) -> str | None:
        with trio.fail_after(PATIENCE):
            return await self.screen.run()


@asynccontextmanager
async def running(write: Callable[[], str] = lambda: "hello") -> AsyncIterator[Little]:
    """Yield an application whose screen runs, and has been drawn; stop it afterwards."""
    little = Little(write)
    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(little.screen.run)
            await little.drawn.wait()
            yield little
            little.screen.stop()


async def test_a_screen_returns_the_result_of_its_application(terminal: Terminal) -> None:
    little = Little()
    terminal[0].send_text("q")
    assert await little.run() == "quit"


async def test_calls_made_before_the_screen_runs_are_kept(terminal: Terminal) -> None:
    """While the screen runs, threads are switched more often."""
    before, during = sys.getswitchinterval(), []
    little = Little()
    little.screen.call(lambda: during.append(sys.getswitchinterval()))
    little.screen.call(during.append, 0.0)
    terminal[0].send_text("q")
    await little.run()
    interval, last = during
    assert last == 0.0 < interval < 0.001 < before == sys.getswitchinterval()


async def test_a_call_from_trio_draws_the_screen_anew(terminal: Terminal) -> None:
    text = ["before"]
    async with running(lambda: text[0]) as little:
        assert "before" in terminal[1].text
        little.drawn = trio.Event()
        little.screen.call(lambda: text.__setitem__(0, "after"))
        while "after" not in terminal[1].text:
            await little.drawn.wait()
            little.drawn = trio.Event()


@pytest.mark.skipif(not hasattr(signal, "SIGWINCH"), reason="Windows has no such signals")
async def test_a_new_size_and_a_resumed_process_are_noticed_at_once(terminal: Terminal) -> None:
    resized = trio.Event()
    token = trio.lowlevel.current_trio_token()
    continued.clear()
    async with running() as little:
        little.app._on_resize = lambda: token.run_sync_soon(resized.set)  # type: ignore[method-assign]
        signal.raise_signal(signal.SIGWINCH)
        await resized.wait()
        signal.raise_signal(signal.SIGCONT)
        while not continued.is_set():
            await trio.sleep(0.001)


async def test_a_screen_can_be_stopped_at_any_time(terminal: Terminal) -> None:
    early, cancelled = Little(), Little()
    early.screen.stop()
    await early.run()
    async with running() as little:
        pass
    with trio.fail_after(PATIENCE):
        async with beside(cancelled.screen.run):
            await cancelled.drawn.wait()
    assert not any(one.app.is_running for one in (early, little, cancelled))


async def test_run_raises_an_error_in_a_key(terminal: Terminal) -> None:
    little = Little()
    terminal[0].send_text("b")
    with pytest.raises(ZeroDivisionError):
        await little.run()
    assert not little.app.is_running


async def test_run_raises_an_error_in_drawing(terminal: Terminal) -> None:
    broken: list[int] = []
    shown: list[Little] = []

    async def run() -> None:
        async with running(lambda: f"{1 // 0}" if broken else "fine") as little:
            shown.append(little)
            little.screen.call(broken.append, 1)
            await trio.sleep_forever()

    with pytest.raises(ZeroDivisionError):
        await until_signalled(run)
    assert not shown[0].app.is_running


async def test_a_lost_terminal_interrupts_the_session(terminal: Terminal) -> None:
    async def run() -> None:
        async with running():
            terminal[0].close()
            await trio.sleep_forever()

    with pytest.raises(Interrupted):
        await until_signalled(run)


async def test_many_screens_leave_no_threads(terminal: Terminal) -> None:
    with trio.fail_after(PATIENCE):
        for turn in range(28):
            little = Little()
            async with beside(little.screen.run):
                for _ in range(turn % 7):
                    await trio.lowlevel.checkpoint()
    # Trio keeps some idle threads. If each screen left one, there would be 28.
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
