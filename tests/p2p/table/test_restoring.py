"""Taking up a table again, and giving that up."""

import pytest
import trio

from p2p.table.changes import Progress
from p2p.table.node import Node


class LongRecord(Node):
    """A node whose record takes long; `done` counts its entries, and at the third `scope` ends."""

    def __init__(self, scope: trio.CancelScope) -> None:
        self.scope = scope
        self.done = 0
        self._restored = False

    def _restore(self, progress: Progress) -> None:
        for self.done in range(1, 1000):
            if self.done == 3:
                trio.from_thread.run_sync(self.scope.cancel)
            progress(self.done, 1000)
        pytest.fail("it went on to the end")


async def test_who_leaves_does_not_wait_for_the_rest_of_the_record() -> None:
    """The thread that takes it up ends at the next entry."""
    with trio.CancelScope() as scope:
        node = LongRecord(scope)
        await node.restore()
    assert scope.cancelled_caught
    assert node.done == 3
