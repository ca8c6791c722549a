"""A background task that lasts as long as a block of code."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import trio


@asynccontextmanager
async def beside(task: Callable[[], Awaitable[object]]) -> AsyncIterator[None]:
    """Run `task` in the background until the block ends.

    An error of the block is raised as it is, not in an ExceptionGroup. An error of `task` is a bug,
    and is raised in an ExceptionGroup.
    """
    failure: Exception | None = None
    async with trio.open_nursery() as nursery:
        nursery.start_soon(task)
        try:
            yield
        except Exception as error:
            failure = error
        nursery.cancel_scope.cancel()
    if failure is not None:
        raise failure
