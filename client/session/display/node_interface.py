"""The part of `p2p.match.match_node.MatchNode` that the client uses for the player's own seat."""

from collections.abc import AsyncIterator, Iterable, Sequence
from typing import Protocol

import trio

from engine.moves import Move
from p2p.match.table_status import TableStatus
from protocol.match.messages import Wish
from protocol.state import State
from protocol.table.events import Change


class NodeAtSeat(Protocol):
    """The node at a seat; `p2p.match.match_node.MatchNode` documents its members."""

    @property
    def progress(self) -> trio.Event: ...

    @property
    def me(self) -> int: ...

    @property
    def state(self) -> State: ...

    @property
    def status(self) -> TableStatus: ...

    async def play(self, move: Move) -> None: ...

    def wish(self, wish: Wish) -> None: ...

    def join_proposal(self) -> None: ...

    def give_up(self) -> None: ...

    def bar_spectator(self, key: bytes) -> None: ...

    def barred_by(self, key: bytes) -> int | None: ...

    @property
    def past(self) -> Sequence[Change]: ...

    def changes(self) -> AsyncIterator[Change]: ...

    def record(self) -> Iterable[bytes]: ...
