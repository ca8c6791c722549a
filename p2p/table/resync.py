"""Resynchronisation after a restart: the node writes nothing until it has what its peers have.

Its journal may be an old copy that was put back; a second entry of this node in one place would
expose its owner. If the journal finds that it is one, the status of every peer is waited for,
however long it takes; otherwise for a minute at most.
"""

import math
from collections.abc import Callable

import trio
from attrs import define, field

from p2p.storage.journal import Journal
from p2p.table.mesh import Mesh

STATUS_SECONDS = 60.0
"""Seconds to wait for each peer's status after a restart, when our journal is known to be
current.
"""


@define(eq=False)
class Resync:
    """The resynchronisation of one node with the peers in `mesh`. `done`: the node may write.
    `doubtful`: its journal was put back from a copy, and a peer's status is still missing; when
    none is, `on_heard` is called in a worker thread.
    """

    journal: Journal
    mesh: Mesh
    on_heard: Callable[[], None] = lambda: None
    done: bool = field(default=False, init=False)
    doubtful: bool = field(default=False, init=False)

    def recall(self) -> None:
        """Read from the journal whether it was put back. Blocks."""
        self.doubtful = self.journal.is_doubtful(self.mesh.replica.table_id)

    async def run(self) -> None:
        """Return when this node has every entry that its peers have told of."""
        with trio.move_on_after(math.inf if self.doubtful else STATUS_SECONDS):
            while self._unheard or max(self.mesh.heights) > self.mesh.replica.height:
                await self.mesh.news()
        if self.doubtful:
            await trio.to_thread.run_sync(self.on_heard)
            await trio.to_thread.run_sync(self.journal.clear_doubt, self.mesh.replica.table_id)
        self.doubtful, self.done = False, True

    @property
    def awaited(self) -> frozenset[int]:
        """The players whose status is waited for."""
        return frozenset() if self.done else self._unheard

    @property
    def _unheard(self) -> frozenset[int]:
        heard = self.mesh.heard_directly if self.doubtful else self.mesh.heard
        return frozenset(player for player in self.mesh.others if not heard(player))
