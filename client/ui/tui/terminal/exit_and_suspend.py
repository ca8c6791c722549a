"""Exits, crashes and Ctrl-Z, handled alike for every application.

An application may run beside Trio or alone.
"""

import asyncio
import os
import signal
import threading
from collections.abc import Callable
from typing import Any, TypeVar

from prompt_toolkit.application import Application, run_in_terminal

T = TypeVar("T")

_ESCAPE_SECONDS = 0.05  # wait after Esc, which may begin the code of another key
_STOP_SECONDS = 1.0  # the longest wait after the stop signal; the signal may have no effect

continued = threading.Event()
"""Event set by the runner of an application when the process goes on after a stop."""


async def run_until_exit(app: Application[T], before: Callable[[], None]) -> T:
    """Run an application in the loop of this thread, and return the value that it exits with.

    `before` is called as soon as the application can be exited. An error in a callback ends the
    application, and is raised here.
    """

    def end(_loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        if (error := context.get("exception")) is not None:
            exit_once(app, exception=error)

    app.ttimeoutlen = _ESCAPE_SECONDS
    asyncio.get_running_loop().set_exception_handler(end)
    return await app.run_async(pre_run=before, set_exception_handler=False, handle_sigint=False)


def exit_once(app: Application[Any], **outcome: Any) -> None:
    """Exit the application, unless it does not run yet or has exited already."""
    if app.future is not None and not app.future.done():
        app.exit(**outcome)


def suspend() -> None:
    """Give the terminal back to the shell, as Ctrl-Z does, until the shell resumes it."""
    if hasattr(signal, "SIGTSTP"):
        run_in_terminal(_stop)


def _stop() -> None:
    """Stop the process, and wait until it goes on.

    The signal may take effect only a moment after `os.kill` has returned. Without the wait, the
    application would take the terminal back from the shell before the process stops.
    """
    continued.clear()
    os.kill(0, signal.SIGTSTP)
    continued.wait(_STOP_SECONDS)
