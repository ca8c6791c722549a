"""The part of a node that its replacement coordinator uses."""

from collections.abc import Mapping, Sequence
from typing import Protocol

import trio

from p2p.transport.link import Link
from p2p.transport.messages import Agreed, Whereabouts
from protocol.charter import Charter
from protocol.entries import Place
from protocol.state import State


class Links(Protocol):
    """The node's links to the other members."""

    @property
    def others(self) -> tuple[int, ...]: ...

    @property
    def linked(self) -> frozenset[int]: ...

    @property
    def heights(self) -> tuple[int, ...]: ...

    def whereabouts_for(self, link: Link, /) -> Whereabouts: ...

    def heard_directly(self, player: int) -> bool: ...

    def show_talk(self) -> None: ...


class Record(Protocol):
    """The record at the node."""

    @property
    def height(self) -> int: ...

    @property
    def is_seated(self) -> bool: ...

    @property
    def settled(self) -> int: ...

    @property
    def signed(self) -> Mapping[bytes, int]: ...

    def head_at(self, height: int, /) -> bytes: ...

    def place_of(self, height: int) -> tuple[Place, Charter]: ...


class Resynchronisation(Protocol):
    """Whether the node has what the others have, since it came back, and whether its journal may be
    older than what it has said.
    """

    @property
    def done(self) -> bool: ...

    @property
    def doubtful(self) -> bool: ...


class NodeInterface(Protocol):
    """The node. `progress` is set when something changes, and replaced."""

    progress: trio.Event

    @property
    def advancing(self) -> trio.Lock:
        """Is held while an entry, or a vote, is judged and kept."""

    @property
    def mesh(self) -> Links: ...

    @property
    def live_record(self) -> Record: ...

    @property
    def resync(self) -> Resynchronisation: ...

    @property
    def charter(self) -> Charter: ...

    @property
    def state(self) -> State: ...

    @property
    def me(self) -> int: ...

    @property
    def grace_left(self) -> float: ...

    @property
    def over(self) -> bool: ...

    @property
    def stopped(self) -> bool:
        """Whether the node goes on with nobody: somebody has cheated, or it is dismissed."""

    def greeting(self) -> Agreed: ...

    async def entries(self, since: int, most: int, /) -> Sequence[bytes]: ...

    async def advance(self, entry: bytes) -> None:
        """Make it the next entry; `advancing` is held."""

    def wake(self) -> None:
        """Set `progress`, and replace it."""
