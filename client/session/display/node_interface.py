"""The part of `p2p.match.match_node.MatchNode` that the client uses for the player's own seat."""

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from typing import Protocol

import trio

from engine.moves import Move
from engine.position import Position
from engine.sentences import Sentence
from p2p.match.negotiation import Offered
from p2p.match.waiting_room import Candidate
from p2p.table.node_updates import Awaited, Change
from p2p.transport.match_messages import Wish
from p2p.transport.spectator_messages import Spectator
from protocol.errors import Exposed
from protocol.state import State


class NodeAtSeat(Protocol):
    """See `p2p.match.match_node.MatchNode` for what each part means."""

    @property
    def progress(self) -> trio.Event: ...

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
    def left_out(self) -> bool: ...

    @property
    def trouble(self) -> Sentence | None: ...

    @property
    def awaited(self) -> Awaited | None: ...

    @property
    def unreached(self) -> frozenset[int]: ...

    @property
    def grace_left(self) -> float: ...

    def is_present(self, player: int) -> bool: ...

    @property
    def missing(self) -> frozenset[int]: ...

    @property
    def exposed_players(self) -> frozenset[int]: ...

    @property
    def stuck(self) -> bool: ...

    @property
    def wishes(self) -> Mapping[int, Wish]: ...

    @property
    def proposal(self) -> Offered | None: ...

    def has_accepted(self, player: int) -> bool: ...

    def wish(self, wish: Wish) -> None: ...

    def join_proposal(self) -> None: ...

    def give_up(self) -> None: ...

    @property
    def candidates(self) -> tuple[Candidate, ...]: ...

    @property
    def spectators(self) -> tuple[Spectator, ...]: ...

    def bar_spectator(self, key: bytes) -> None: ...

    def barred_by(self, key: bytes) -> int | None: ...

    @property
    def past(self) -> Sequence[Change]: ...

    def changes(self) -> AsyncIterator[Change]: ...

    def record(self) -> Iterable[bytes]: ...
