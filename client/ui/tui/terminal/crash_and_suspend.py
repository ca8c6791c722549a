"""Crashes and Ctrl-Z, handled in the same way for every application, beside Trio or alone."""

import asyncio
import os
import signal
import threading
from typing import Any

from prompt_toolkit.application import Application, run_in_terminal

ESCAPE_SECONDS = 0.05  # wait after Esc, which may begin the code of another key
_STOP_SECONDS = 1.0  # timeout for going on after the stop signal, which may have no effect

continued = threading.Event()
"""Event set by the runner of an application when the process goes on after a stop."""


def end_by_a_crash(
    app: Application[Any], _loop: asyncio.AbstractEventLoop, context: dict[str, Any]
) -> None:
    """End the application with the error of a callback, as its loop's exception handler."""
    error = context.get("exception")
    if error is not None and app.future is not None and not app.future.done():
        app.exit(exception=error)


def suspend() -> None:
    """Give the terminal back to the shell, as Ctrl-Z does, until the shell lets us go on."""
    if hasattr(signal, "SIGTSTP"):
        run_in_terminal(_stop)


def _stop() -> None:
    """Stop the process, and wait until it goes on.

    The signal may take effect only a moment after `os.kill` has returned. Without the wait, the
    application would take the terminal back from the shell before that.
    """
    continued.clear()
    os.kill(0, signal.SIGTSTP)
    continued.wait(_STOP_SECONDS)
