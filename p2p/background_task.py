"""A task beside a block of code."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import trio


@asynccontextmanager
async def beside(task: Callable[[], Awaitable[object]]) -> AsyncIterator[None]:
    """Run `task` until the block ends.

    The block's errors come out as they are, not in a group; those of `task` are mistakes and come
    in one.
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
