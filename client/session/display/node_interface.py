"""The part of `p2p.table.node.Node` that the client uses for the player's own seat."""

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from typing import Protocol

from engine.moves import Move
from engine.position import Position
from engine.sentences import Sentence
from p2p.replacement.waiting_room import Candidate
from p2p.table.changes import Awaited, Change
from p2p.transport.spectator_messages import Spectator
from protocol.entries import AbsentContent
from protocol.errors import Exposed
from protocol.state import State


class NodeAtSeat(Protocol):
    """See `p2p.table.node.Node` for what each part means."""

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

    @property
    def dismissed(self) -> bool: ...

    @property
    def trouble(self) -> Sentence | None: ...

    @property
    def awaited(self) -> Awaited | None: ...

    @property
    def unreached(self) -> frozenset[int]: ...

    @property
    def grace_left(self) -> float: ...

    @property
    def proposals(self) -> tuple[AbsentContent, ...]: ...

    @property
    def candidates(self) -> tuple[Candidate, ...]: ...

    @property
    def spectators(self) -> tuple[Spectator, ...]: ...

    def bar_spectator(self, key: bytes) -> None: ...

    def barred_by(self, key: bytes) -> int | None: ...

    async def invite(self, seats: Mapping[int, bytes]) -> AbsentContent: ...

    def absence(self, content: AbsentContent) -> bytes: ...

    async def vote(self, content: AbsentContent) -> None: ...

    @property
    def past(self) -> Sequence[Change]: ...

    def changes(self) -> AsyncIterator[Change]: ...

    def record(self) -> Iterable[bytes]: ...
