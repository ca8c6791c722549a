"""What a node that comes back has to hear from the others before it writes.

Its journal may be a copy that was put back, older than what it has said; to say something else in
the same place would look like cheating. So all others have to say themselves what they have, if the
journal finds that it is one. Otherwise whoever stays silent for long is not waited for.
"""

import math

import trio
from attrs import define, field

from p2p.storage.journal import Journal
from p2p.table.mesh import Mesh

HEARING_SECONDS = 60.0
"""How long each of the others is waited for whose word is not needed."""


@define(eq=False)
class Hearing:
    """Of one node, at the table of `mesh`. `done` tells that it may write; `doubtful` that its
    journal was put back from a copy, and that not all have said what they have.
    """

    journal: Journal
    mesh: Mesh
    done: bool = field(default=False, init=False)
    doubtful: bool = field(default=False, init=False)

    def recall(self) -> None:
        """What the journal says of itself. Blocks."""
        self.doubtful = self.journal.is_doubtful(self.mesh.table.table_id)

    async def run(self) -> None:
        """Until this node has what the others have."""
        with trio.move_on_after(math.inf if self.doubtful else HEARING_SECONDS):
            while self._unheard or max(self.mesh.heights) > self.mesh.table.height:
                await self.mesh.news()
        if self.doubtful:
            await trio.to_thread.run_sync(self.journal.clear_doubt, self.mesh.table.table_id)
        self.doubtful, self.done = False, True

    @property
    def awaited(self) -> frozenset[int]:
        """Who has to be heard before this node writes."""
        return frozenset() if self.done else self._unheard

    @property
    def _unheard(self) -> frozenset[int]:
        heard = self.mesh.heard_directly if self.doubtful else self.mesh.heard
        return frozenset(player for player in self.mesh.others if not heard(player))
