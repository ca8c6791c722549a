"""Crashes and Ctrl-Z, handled in the same way for every application, beside Trio or alone."""

import asyncio
import os
import signal
import threading
from typing import Any

from prompt_toolkit.application import Application, run_in_terminal

ESCAPE_SECONDS = 0.05  # wait after Esc, which may begin the code of another key
_STOP_SECONDS = 1.0  # wait for the stop signal, which may stop nothing

continued = threading.Event()
"""Event set by the runner of an application when the process goes on after a stop."""


def end_by_a_crash(
    app: Application[Any], _loop: asyncio.AbstractEventLoop, context: dict[str, Any]
) -> None:
    """End the application with the error of a callback, as an exception handler of its loop."""
    error = context.get("exception")
    if error is not None and app.future is not None and not app.future.done():
        app.exit(exception=error)


def suspend() -> None:
    """Give the terminal back to the shell, as Ctrl-Z does, until the shell lets us go on."""
    if hasattr(signal, "SIGTSTP"):
        run_in_terminal(_stop)


def _stop() -> None:
    """Stop the process.

    The terminal stays as the shell has it until the process really goes on: the signal may reach
    another thread, a moment after the call has returned.
    """
    continued.clear()
    os.kill(0, signal.SIGTSTP)
    continued.wait(_STOP_SECONDS)
