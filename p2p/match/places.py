"""The places for visitors at a node: people without a seat, who come to its table and stay a while.

There are few places, and each visitor takes one. If all are taken, somebody whom the node has met
before takes the place of a stranger: strangers cannot keep a friend out. Strangers share places by
neighbour (`p2p.fair_shares`), so that nobody holds all of them.
"""

import random
from collections.abc import Iterator
from typing import Generic, Protocol, TypeVar

import trio
from attrs import define, field

from p2p.fair_shares import CHANCE, Stay, who_makes_room

SAFE_SECONDS = 300.0
"""Seconds for which a stranger keeps a place, unless a neighbour with fewer places wants it."""


class Visitor(Protocol):
    """A visitor, with their public `key`.

    `known` is true if this node has met them before, `address` is the host that they call from,
    and cancelling `scope` ends their link.
    """

    @property
    def key(self) -> bytes: ...

    @property
    def known(self) -> bool: ...

    @property
    def address(self) -> str: ...

    @property
    def scope(self) -> trio.CancelScope: ...


V = TypeVar("V", bound=Visitor)


@define(eq=False)
class Places(Generic[V]):
    """At most `most` visitors, in the order in which they came."""

    most: int
    chance: random.Random = CHANCE
    _here: dict[bytes, V] = field(factory=dict, init=False)
    _since: dict[bytes, float] = field(factory=dict, init=False)

    def __iter__(self) -> Iterator[V]:
        return iter(tuple(self._here.values()))

    def __len__(self) -> int:
        return len(self._here)

    def has_room(self, visitor: V) -> bool:
        """Return True if there is a free place for that visitor, or a stranger who makes room."""
        return len(self._here) < self.most or self._who_makes_room(visitor) is not None

    def enter(self, visitor: V) -> None:
        """Give that visitor a place, after `has_room` was True.

        If they have a place already, their older link ends. Otherwise, if all places are taken, the
        link of the stranger who makes room ends.
        """
        leaving = self._here.get(visitor.key)
        if len(self._here) >= self.most:
            leaving = self._who_makes_room(visitor)
        if leaving is not None:
            leaving.scope.cancel()
            self._here.pop(leaving.key, None)
        self._here[visitor.key] = visitor
        self._since = {key: self._since.get(key, 0.0) for key in self._here}
        self._since[visitor.key] = trio.current_time()

    def leave(self, visitor: V) -> None:
        """Free the visitor's place, if they still have it on this link."""
        if self._here.get(visitor.key) is visitor:
            del self._here[visitor.key]

    def close(self) -> None:
        """End the links of all visitors."""
        for visitor in self._here.values():
            visitor.scope.cancel()

    def _who_makes_room(self, visitor: V) -> V | None:
        """Return the visitor whose place the newcomer takes when all are taken; None if nobody's.

        Somebody who comes again takes their own old place. A known visitor takes any stranger's
        place, and a stranger takes another's by the rules of `p2p.fair_shares`.
        """
        if visitor.key in self._here:
            return self._here[visitor.key]
        strangers = [other for other in self._here.values() if not other.known]
        now, safe_for = trio.current_time(), 0.0 if visitor.known else SAFE_SECONDS
        stays = [Stay(other.address, now - self._since[other.key]) for other in strangers]
        leaves = who_makes_room(stays, visitor.address, safe_for=safe_for, chance=self.chance)
        return None if leaves is None else strangers[leaves]
