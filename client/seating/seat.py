"""What the client needs of a place at a table, and nothing else: `p2p.node.Node` has it."""

from collections.abc import AsyncIterator, Iterable
from typing import Protocol

from engine.moves import Move
from engine.position import Position
from p2p.node import Change
from protocol.errors import Exposed
from protocol.state import State


class OwnSeat(Protocol):
    """One's own place at a table. See `p2p.node.Node` for what each part means."""

    @property
    def state(self) -> State: ...

    @property
    def exposed(self) -> Exposed | None: ...

    @property
    def me(self) -> int: ...

    @property
    def view(self) -> Position | None: ...

    @property
    def chooses(self) -> bool: ...

    async def play(self, move: Move) -> None: ...

    def changes(self) -> AsyncIterator[Change]: ...

    def record(self) -> Iterable[bytes]: ...
