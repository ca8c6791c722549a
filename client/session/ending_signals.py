"""The signals that end the program, with or without an event loop."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

EXIT_INTERRUPTED = 130

_ENDING = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
"""Names of the signals; a system may lack some of them.

SIGBREAK exists on Windows only. It is sent by Ctrl-Break, and when the console is closed.
"""


class Interrupted(Exception):
    """The error for a request, by the person or the system, to end the program now."""


@contextmanager
def answered(answer: Callable[[], object]) -> Iterator[None]:
    """Call `answer` at each signal that would otherwise end the program.

    Like any signal handler, `answer` runs in the main thread, between any two of its bytecodes.
    """

    def called(_number: int, _frame: object) -> None:
        answer()

    numbers = [getattr(signal, name) for name in _ENDING if hasattr(signal, name)]
    before = {number: signal.signal(number, called) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
