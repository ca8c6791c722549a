"""Signals that end the program.

What runs says goodbye, and is cancelled then, so that everything is put away first.
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
"""Seconds for all goodbyes, when a signal has come: with mDNS, which closes after them
(`p2p.discovery.beacons.CLOSE_SECONDS`), well below a second.
"""

_goodbyes: ContextVar[list[Goodbye]] = ContextVar("goodbyes")
"""Functions that are called before the command of this run is cancelled."""


@contextmanager
def at_a_signal(goodbye: Goodbye) -> Iterator[None]:
    """Run `goodbye` first, for a moment, if a signal ends the program during the block."""
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
    """Return what `function` returns.

    Raises Interrupted when a signal ends the program before that, and otherwise what `function`
    raises, out of its groups where it is alone in them.
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
            # A second signal, while all is put away, has nothing to add:
            # `trio.open_signal_receiver` would deliver it again at the end.
            token = trio.lowlevel.current_trio_token()
            with answered(partial(token.run_sync_soon, signalled.set, idempotent=True)):
                async with beside(end):
                    result.append(await function())
        except BaseExceptionGroup as group:
            raise _alone(group) from None
    if signalled.is_set() or not result:
        raise Interrupted
    return result[0]


def _alone(group: BaseException) -> BaseException:
    """Return the one exception within groups of one, or the group of several."""
    while isinstance(group, BaseExceptionGroup) and len(group.exceptions) == 1:
        group = group.exceptions[0]
    return group
