"""The places for visitors at a node: people without a seat, who stay at the table for a while.

There are few places, and each visitor takes one. If all places are taken, somebody whom the node
has met before takes the place of a stranger: strangers cannot keep a friend out. Among strangers
the places are shared fairly by network address (`p2p.fair_shares`), so that nobody holds all of
them.
"""

import random
from collections.abc import Awaitable, Callable, Iterator
from typing import Generic, TypeVar

import trio
from attrs import define, field

from p2p.fair_shares import CHANCE, Stay, who_makes_room
from p2p.match.shown_record import ShownRecord
from p2p.rate_limit import RateLimit
from p2p.transport.link import Link

STILL_HERE_SECONDS = 5.0
"""Seconds between two messages to a visitor, and between those of a spectator, so that no link is
closed for silence.
"""

SAFE_SECONDS = 300.0
"""Seconds for which a stranger keeps their place, even if a newcomer comes from a network address
that would then have no more places than the stranger's address (`who_makes_room`).
"""


@define(eq=False)
class Visitor:
    """A visitor to whom this node shows a record."""

    link: Link
    """The link to the visitor."""
    known: bool
    """True if this node has met the visitor before."""
    record: ShownRecord
    """Shows the record on the link."""
    rate_limit: RateLimit
    scope: trio.CancelScope = field(factory=trio.CancelScope, init=False)
    """Cancelling it ends the link."""


V = TypeVar("V", bound=Visitor)


@define(eq=False)
class Places(Generic[V]):
    """The visitors at a node, in the order in which they came; there are `most` places."""

    most: int
    chance: random.Random = CHANCE
    _here: dict[bytes, V] = field(factory=dict, init=False)
    """The visitors by key."""
    _since: dict[bytes, float] = field(factory=dict, init=False)
    """The time at which each visitor came, by key."""

    def __iter__(self) -> Iterator[V]:
        return iter(tuple(self._here.values()))

    def __len__(self) -> int:
        return len(self._here)

    def has_room(self, visitor: V) -> bool:
        """Return True if there is a free place, or if somebody makes room for that visitor."""
        return len(self._here) < self.most or self._who_makes_room(visitor) is not None

    async def serve(
        self,
        visitor: V,
        on_change: Callable[[], None],
        accompany: Callable[[V], Awaitable[None]],
        *beside: Callable[[V], Awaitable[None]],
    ) -> None:
        """Give that visitor a place until `accompany` returns or the visitor's link ends.

        Call this when `has_room` returns True. The tasks `beside` run meanwhile. `on_change` is
        called when the visitor has come, and when they have gone.
        """
        with visitor.scope:
            self.enter(visitor)
            on_change()
            try:
                async with trio.open_nursery() as nursery:
                    for task in beside:
                        nursery.start_soon(task, visitor)
                    await accompany(visitor)
                    nursery.cancel_scope.cancel()
                await visitor.link.aclose()  # sends what is queued, while the place is still taken
            finally:
                self.leave(visitor)
                on_change()

    def enter(self, visitor: V) -> None:
        """Give that visitor a place. Call this when `has_room` returns True.

        If the visitor has a place already, their older link ends. Otherwise, if all places are
        taken, the link of the stranger who makes room ends.
        """
        key = visitor.link.peer
        leaving = self._here.get(key)
        if len(self._here) >= self.most:
            leaving = self._who_makes_room(visitor)
        if leaving is not None:
            leaving.scope.cancel()
            self._here.pop(leaving.link.peer, None)
        self._here[key] = visitor
        # The times of those who have gone are dropped.
        self._since = {key: self._since.get(key, 0.0) for key in self._here}
        self._since[key] = trio.current_time()

    def leave(self, visitor: V) -> None:
        """Free the visitor's place, if they still have it on this link."""
        if self._here.get(visitor.link.peer) is visitor:
            del self._here[visitor.link.peer]

    def close(self) -> None:
        """End the links of all visitors."""
        for visitor in self._here.values():
            visitor.scope.cancel()

    def _who_makes_room(self, visitor: V) -> V | None:
        """Return who must leave when all places are taken and `visitor` comes; None if nobody must.

        Somebody who comes again takes their own old place. Others take the place of a stranger, who
        is chosen by the rules of `p2p.fair_shares`. A known visitor can take any stranger's place,
        however short the time that the stranger has had it.
        """
        link = visitor.link
        if link.peer in self._here:
            return self._here[link.peer]
        strangers = [other for other in self._here.values() if not other.known]
        now, safe_for = trio.current_time(), 0.0 if visitor.known else SAFE_SECONDS
        stays = [Stay(one.link.address, now - self._since[one.link.peer]) for one in strangers]
        leaves = who_makes_room(stays, link.address, safe_for=safe_for, chance=self.chance)
        return None if leaves is None else strangers[leaves]
