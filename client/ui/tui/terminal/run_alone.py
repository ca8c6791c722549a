"""A prompt_toolkit application in the main thread, while nothing else of the program runs."""

import asyncio
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

from prompt_toolkit.application import Application

from client.session.ending_signals import Interrupted, answered
from client.ui.tui.terminal.exit_and_suspend import continued, exit_once, run_until_exit

T = TypeVar("T")


def run_alone(app: Application[T]) -> T:
    """Run `app` and return the value that it exits with.

    Raises Interrupted if a signal ends the program or its terminal is gone, and any error in the
    application. The terminal is restored first, in every case.
    """
    signalled = False

    def stop() -> None:
        if signalled:
            exit_once(app, exception=Interrupted())

    async def run() -> T:
        loop = asyncio.get_running_loop()

        def on_signal() -> None:
            nonlocal signalled
            signalled = True
            loop.call_soon_threadsafe(stop)

        with answered(on_signal), _continuations_noted():
            return await run_until_exit(app, stop)

    try:
        return asyncio.run(run())
    except EOFError:
        raise Interrupted("The terminal is gone.") from None


@contextmanager
def _continuations_noted() -> Iterator[None]:
    if not hasattr(signal, "SIGCONT"):
        yield
        return
    before = signal.signal(signal.SIGCONT, lambda _number, _frame: continued.set())
    try:
        yield
    finally:
        signal.signal(signal.SIGCONT, before)
