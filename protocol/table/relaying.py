"""The choice of which entries a node passes on to a peer, and when.

A node sends its own entries at once. It passes on an entry of another member if the peer seems to
get that entry from nobody else:

- A peer says from which members it gets entries directly (`Status.direct`). Entries of all other
  members are sent together with this node's next own entry.
- An entry that the peer has not confirmed after a while is sent, too. From then on every entry of
  the same writer is sent at once, until the peer says that it gets that writer's entries directly.
"""

from collections.abc import Iterable
from typing import Any

from attrs import define, field

from protocol.table.peer import WINDOW, Peer


@define(eq=False)
class Relaying:
    """The choice of the entries that one node passes on."""

    me: int
    """The player at this node."""
    settled: int = 0
    """The height up to which entries are due for everybody who has not confirmed them."""
    _writers: dict[int, int] = field(factory=dict, init=False)
    """The writers of the newest entries, by height."""
    _own: int = field(default=0, init=False)
    """The height of this node's newest entry."""

    def grown(self, height: int, writer: int) -> None:
        """Note that the newest entry is at that height, and who has written it."""
        self._writers[height] = writer
        self._writers.pop(height - WINDOW, None)
        if writer == self.me:
            self._own = height

    def writer(self, height: int) -> int | None:
        """Return the writer of the entry at that height; None unless it is one of the newest."""
        return self._writers.get(height)

    def is_due(self, peer: Peer[Any], height: int, *, asked: bool = False) -> bool:
        """Return True if that entry should be sent now to a peer who has not confirmed it.

        `asked`: the peer has just told their height. They may have our newest entry already, and
        lack entries before it.
        """
        writer = self._writers.get(height)
        # The writer is None for an entry older than the newest 16: whoever lacks such an entry gets
        # it at once.
        if height <= self.settled or writer in {None, self.me} or writer in peer.relayed:
            return True
        # Our own newest entry is sent at once, and can be judged only with the entries before it.
        # If ours is 8 and Bruno's is 7, a peer who does not get Bruno's directly is sent both.
        return height < self._own and (asked or writer not in peer.direct)

    def settle(self, height: int, peers: Iterable[Peer[Any]]) -> None:
        """Note that these peers have had time enough to confirm all entries up to that height.

        If a peer lacks one of them, the entries of its writer are relayed to that peer from now on.
        """
        self.settled = max(self.settled, height)
        for peer in peers:
            # Entries in `sent` are left out: they may be under way from this node, and their
            # writers may be sending them, too.
            for lacking in set(peer.lacking(height)) - peer.sent:
                if lacking in self._writers:
                    peer.relayed.add(self._writers[lacking])
