"""A prompt_toolkit application beside Trio: it runs in a thread of its own with a loop of its own.

Calls go from Trio to the screen by `Screen.call`, and from the screen to Trio by
`trio.lowlevel.TrioToken`. The terminal is restored before `run` returns, in every case.
"""

import asyncio
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, Generic, TypeVar

import trio
from attrs import define, field
from prompt_toolkit.application import Application

from client.session.ending_signals import Interrupted
from client.ui.tui.terminal.exit_and_suspend import continued, exit_once, run_until_exit

T = TypeVar("T")

_SWITCH_SECONDS = 0.0005
"""The maximum time that a computing thread may hold up another thread.

While the screen is drawn, Trio's thread must wait for the interpreter. With Python's default of
5 ms for each wait, these waits would be most of the time that it takes to draw a card.
"""


@contextmanager
def _switching_sooner() -> Iterator[None]:
    usual = sys.getswitchinterval()
    sys.setswitchinterval(_SWITCH_SECONDS)
    try:
        yield
    finally:
        sys.setswitchinterval(usual)


@define
class Screen(Generic[T]):
    """An application that runs in a thread of its own until it exits."""

    app: Application[T]
    _calls: deque[Callable[[], None]] = field(factory=deque)
    _loop: asyncio.AbstractEventLoop | None = None
    _stopping: bool = False

    async def run(self) -> T | None:
        """Run the application, and return the value that it exits with; None if it was stopped.

        Raises Interrupted if its terminal is gone, and any error in the application.
        """
        result: T | None = None
        crash: BaseException | None = None
        with _switching_sooner():
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._stop_when_cancelled)
                nursery.start_soon(self._forward_resizes)
                nursery.start_soon(self._note_continuations)
                try:
                    result = await trio.to_thread.run_sync(self._run)
                except EOFError:
                    crash = Interrupted("The terminal is gone.")
                except Exception as error:
                    crash = error
                nursery.cancel_scope.cancel()
        if crash is not None:
            raise crash
        return result

    def call(self, function: Callable[..., None], *arguments: Any) -> None:
        """Call a function in the screen's thread, soon, and redraw the screen."""
        self._calls.append(partial(function, *arguments))
        if self._loop is not None:
            with suppress(RuntimeError):  # the loop has ended meanwhile
                self._loop.call_soon_threadsafe(self._work_off)

    def stop(self) -> None:
        """End the application, even before it has begun. Any thread may call this."""
        self._stopping = True
        if self._loop is not None:
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._exit)

    # -- in Trio's thread

    async def _stop_when_cancelled(self) -> None:
        try:
            await trio.sleep_forever()
        finally:
            self.stop()

    async def _note_continuations(self) -> None:
        if hasattr(signal, "SIGCONT"):
            with trio.open_signal_receiver(signal.SIGCONT) as signals:
                async for _ in signals:
                    continued.set()

    async def _forward_resizes(self) -> None:
        # Only the main thread gets the signal for a new size. prompt_toolkit, in its own thread,
        # asks the terminal for the size only twice a second.
        if not hasattr(signal, "SIGWINCH"):
            return
        with trio.open_signal_receiver(signal.SIGWINCH) as signals:
            async for _ in signals:
                self.call(self.app._on_resize)

    # -- in the screen's thread

    def _run(self) -> T | None:
        async def main() -> T | None:
            self._loop = asyncio.get_running_loop()
            self._work_off()
            return await run_until_exit(self.app, self._exit)

        return asyncio.run(main())

    def _work_off(self) -> None:
        while self._calls:
            self._calls.popleft()()
        self.app.invalidate()

    def _exit(self) -> None:
        if self._stopping:
            exit_once(self.app)
