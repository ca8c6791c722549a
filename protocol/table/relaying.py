"""The entries that a node passes on to a peer, and when.

Its own go out at once, those of others where the peer seems to get them from nobody else.

A peer says from whom it gets entries itself (`Status.direct`). Those of anybody else it is sent
together with this node's own that continue them; what it has not confirmed after a while it is sent
too, and from then on whatever that member writes, until it says that it needs no help.
"""

from collections.abc import Iterable
from typing import Any

from attrs import define, field

from protocol.table.peer import WINDOW, Peer


@define(eq=False)
class Relaying:
    """The relaying at the node of player `me`.

    All entries up to the height `settled` are passed on to everybody who has not confirmed them.
    """

    me: int
    settled: int = 0
    _writers: dict[int, int] = field(factory=dict, init=False)
    _own: int = field(default=0, init=False)
    """The height of this node's newest entry."""

    def grown(self, height: int, writer: int) -> None:
        """Note that the record has an entry of that member at that height, and nothing after it."""
        self._writers[height] = writer
        self._writers.pop(height - WINDOW, None)
        if writer == self.me:
            self._own = height

    def writer(self, height: int) -> int | None:
        """Return the writer of that entry; None for one that is not new."""
        return self._writers.get(height)

    def is_due(self, peer: Peer[Any], height: int, *, asked: bool = False) -> bool:
        """Return True if this node should send that entry now to a peer who has not confirmed it.

        `asked`: they have just said how far their record goes; they may have one of ours already,
        and lack what it continues.
        """
        writer = self._writers.get(height)
        if height <= self.settled or writer in {None, self.me} or writer in peer.relayed:
            return True
        return height < self._own and (asked or writer not in peer.direct)

    def settle(self, height: int, peers: Iterable[Peer[Any]]) -> None:
        """Note that these peers have had time enough to confirm the record up to that height."""
        self.settled = max(self.settled, height)
        for peer in peers:
            for lacking in set(peer.lacking(height)) - peer.sent:
                if lacking in self._writers:
                    peer.relayed.add(self._writers[lacking])
