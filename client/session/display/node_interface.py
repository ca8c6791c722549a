"""The interface of a seat: the members of `p2p.match.match_node.MatchNode` that the client uses."""

from collections.abc import AsyncIterator, Iterable, Sequence
from typing import NoReturn, Protocol

import trio

from engine.moves import Move
from p2p.match.table_status import TableStatus
from protocol.errors import Refused
from protocol.match.messages import Wish
from protocol.state import State
from protocol.table.tasks import Change


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


class QuietSeat:
    """The part of `NodeAtSeat` for a seat with nothing to decide about other people.

    Each such decision is refused. The table is shown from the side of the first player.
    """

    __slots__ = ()

    @property
    def me(self) -> int:
        return 0

    def barred_by(self, _key: bytes) -> None:
        return

    def wish(self, _wish: Wish) -> NoReturn:
        self._refuse()

    def join_proposal(self) -> NoReturn:
        self._refuse()

    def give_up(self) -> NoReturn:
        self._refuse()

    def bar_spectator(self, _key: bytes) -> NoReturn:
        self._refuse()

    def _refuse(self) -> NoReturn:
        raise Refused("There is nothing to decide now.")
