"""Signals that end the program: they cancel what runs, so that everything is put away first."""

import signal
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TypeVar

import trio

T = TypeVar("T")

EXIT_INTERRUPTED = 130

_ENDING = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)


class Interrupted(Exception):
    """The person or the system wants the program to end, now."""


def run_trio(task: Callable[..., Awaitable[int]], *arguments: object) -> int:
    """Run a command until it ends or a signal ends it; the exit code."""
    try:
        return trio.run(until_signalled, partial(task, *arguments))
    except Interrupted:
        return EXIT_INTERRUPTED


async def until_signalled(function: Callable[[], Awaitable[T]]) -> T:
    """What `function` returns. Raises Interrupted when a signal ends the program before that, and
    otherwise what `function` raises, out of its groups where it is alone in them.
    """
    result: list[T] = []
    try:
        with trio.CancelScope() as scope, _cancelled_by_signals(scope):
            result.append(await function())
    except BaseExceptionGroup as group:
        raise _alone(group) from None
    if not result:
        raise Interrupted
    return result[0]


@contextmanager
def _cancelled_by_signals(scope: trio.CancelScope) -> Iterator[None]:
    """Signals that end a program cancel `scope`. A second one, while all is put away, has nothing
    to add: `trio.open_signal_receiver` would deliver it again at the end.
    """
    token = trio.lowlevel.current_trio_token()

    def cancel(_number: int, _frame: object) -> None:
        token.run_sync_soon(scope.cancel, idempotent=True)

    before = {number: signal.signal(number, cancel) for number in _ENDING}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _alone(group: BaseException) -> BaseException:
    """The one exception within groups of one, or the group of several."""
    while isinstance(group, BaseExceptionGroup) and len(group.exceptions) == 1:
        group = group.exceptions[0]
    return group
