"""The orderly end of a command when a signal ends the program.

First the program calls all goodbyes, which are the functions given to `at_a_signal`. Then it
cancels the command, so that files and links are closed.
"""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from typing import TypeVar

import trio

from client.session.ending_signals import Interrupted, answered
from p2p.background_task import beside

T = TypeVar("T")

Goodbye = Callable[[], Awaitable[object]]

GOODBYE_SECONDS = 0.4
"""Seconds for all goodbyes together when a signal has come.

After that mDNS may take `p2p.discovery.beacons.CLOSE_SECONDS` to close. Together this is less than
a second.
"""

_goodbyes: ContextVar[list[Goodbye]] = ContextVar("goodbyes")
"""Functions to call at a signal, before the running command is cancelled."""


@contextmanager
def at_a_signal(goodbye: Goodbye) -> Iterator[None]:
    """Run `goodbye`, for at most `GOODBYE_SECONDS`, if a signal comes during the block."""
    # Outside of `until_signalled` the list is a new one that nobody reads, so `goodbye` is never
    # called.
    goodbyes = _goodbyes.get([])
    goodbyes.append(goodbye)
    try:
        yield
    finally:
        goodbyes.remove(goodbye)


def run_trio(task: Callable[..., Awaitable[int]], *arguments: object) -> int:
    """Run a command until it ends, and return its exit code. Raises Interrupted at a signal."""
    return trio.run(until_signalled, partial(task, *arguments))


async def until_signalled(function: Callable[[], Awaitable[T]]) -> T:
    """Return the result of `function`.

    Raises Interrupted if a signal comes before `function` ends. Otherwise raises what `function`
    raises; if that is one exception inside exception groups, it is raised without the groups.
    """
    result: list[T] = []
    goodbyes: list[Goodbye] = []
    _goodbyes.set(goodbyes)
    signalled = trio.Event()
    with trio.CancelScope() as scope:

        async def end() -> None:
            await signalled.wait()
            with trio.move_on_after(GOODBYE_SECONDS):
                async with trio.open_nursery() as nursery:
                    for goodbye in tuple(goodbyes):
                        nursery.start_soon(goodbye)
            scope.cancel()

        try:
            # A second signal is ignored while everything is being closed.
            # `trio.open_signal_receiver` would raise it again at the end.
            token = trio.lowlevel.current_trio_token()
            with answered(partial(token.run_sync_soon, signalled.set, idempotent=True)):
                async with beside(end):
                    result.append(await function())
        except BaseExceptionGroup as group:
            raise _alone(group) from None
    # The function may have ended just when the signal came: the signal wins.
    if signalled.is_set() or not result:
        raise Interrupted
    return result[0]


def _alone(group: BaseException) -> BaseException:
    """Return the one exception inside nested groups, or the innermost group if it has several."""
    while isinstance(group, BaseExceptionGroup) and len(group.exceptions) == 1:
        group = group.exceptions[0]
    return group
