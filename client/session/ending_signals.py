"""The signals that end the program, for whatever loop runs it."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

EXIT_INTERRUPTED = 130

_ENDING = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
"""Names of the signals, as far as a system has them.

The last is of Windows: Ctrl-Break, and a console that is closed.
"""


class Interrupted(Exception):
    """The person or the system wants the program to end, now."""


@contextmanager
def answered(answer: Callable[[], object]) -> Iterator[None]:
    """Have signals that end a program call `answer` instead, once for each of them.

    It is called in the main thread and between any two of its steps.
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
