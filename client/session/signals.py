"""Signals that end the program: they cancel what runs, so that everything is put away first."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import TypeVar

import trio

from client.session.ending_signals import EXIT_INTERRUPTED, Interrupted, answered

T = TypeVar("T")


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
        # A second signal, while all is put away, has nothing to add:
        # `trio.open_signal_receiver` would deliver it again at the end.
        token = trio.lowlevel.current_trio_token()
        with trio.CancelScope() as scope:
            cancel = partial(token.run_sync_soon, scope.cancel, idempotent=True)
            with answered(cancel):
                result.append(await function())
    except BaseExceptionGroup as group:
        raise _alone(group) from None
    if not result:
        raise Interrupted
    return result[0]


def _alone(group: BaseException) -> BaseException:
    """The one exception within groups of one, or the group of several."""
    while isinstance(group, BaseExceptionGroup) and len(group.exceptions) == 1:
        group = group.exceptions[0]
    return group
