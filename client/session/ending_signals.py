"""The signals that end the program, for whatever loop runs it."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

EXIT_INTERRUPTED = 130

_ENDING = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)


class Interrupted(Exception):
    """The person or the system wants the program to end, now."""


@contextmanager
def answered(answer: Callable[[], object]) -> Iterator[None]:
    """Signals that end a program call `answer` instead, once for each of them, in the main thread
    and between any two of its steps.
    """

    def called(_number: int, _frame: object) -> None:
        answer()

    before = {number: signal.signal(number, called) for number in _ENDING}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
