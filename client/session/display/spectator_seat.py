"""The seat of a spectator, for a display: it shows the table, and refuses all decisions."""

from collections.abc import AsyncIterator, Iterator, Sequence
from typing import NoReturn

import trio
from attrs import frozen

from client.session.display.node_interface import QuietSeat
from engine.moves import Move
from p2p.match.followed_match import FollowedMatch
from p2p.match.table_status import TableStatus
from protocol.errors import Refused
from protocol.state import State
from protocol.table.events import Change


@frozen
class SpectatorSeat(QuietSeat):
    """A `client.session.display.node_interface.NodeAtSeat` of a spectator: all hands are closed."""

    table: FollowedMatch

    @property
    def progress(self) -> trio.Event:
        return self.table.progress

    @property
    def state(self) -> State:
        return self.table.state

    @property
    def status(self) -> TableStatus:
        table = self.table
        return TableStatus(
            state=table.state,
            view=table.state.match.round,
            exposed=table.exposed,
            spectators=table.spectators,
        )

    @property
    def past(self) -> Sequence[Change]:
        return self.table.past

    def changes(self) -> AsyncIterator[Change]:
        return self.table.changes()

    def record(self) -> Iterator[bytes]:
        return self.table.record()

    async def play(self, _move: Move) -> NoReturn:
        self._refuse()

    def _refuse(self) -> NoReturn:
        raise Refused("A spectator only looks on.")
