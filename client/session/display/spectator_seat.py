"""A table that this person watches, for a display: a seat at which nothing can be done."""

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from typing import NoReturn

import trio
from attrs import frozen

from engine.moves import Move
from engine.position import Position
from engine.sentences import Sentence
from p2p.match.followed_match import FollowedMatch
from p2p.match.waiting_room import Candidate
from p2p.table.node_updates import Awaited, Change
from p2p.transport.match_messages import Wish
from p2p.transport.spectator_messages import Spectator
from protocol.errors import Exposed, Refused
from protocol.state import State


@frozen
class SpectatorSeat:
    """See `client.session.display.node_interface.NodeAtSeat`. All hands are closed."""

    table: FollowedMatch

    @property
    def progress(self) -> trio.Event:
        return self.table.progress

    @property
    def state(self) -> State:
        return self.table.state

    @property
    def exposed(self) -> Exposed | None:
        return self.table.exposed

    @property
    def me(self) -> int:
        """The player from whose side of the table it is drawn."""
        return 0

    @property
    def view(self) -> Position | None:
        return self.table.state.match.round

    @property
    def chooses(self) -> bool:
        return False

    @property
    def left_out(self) -> bool:
        return False

    @property
    def trouble(self) -> Sentence | None:
        return None

    @property
    def awaited(self) -> Awaited | None:
        return None

    @property
    def unreached(self) -> frozenset[int]:
        return frozenset()

    def is_present(self, _player: int) -> bool:
        return True

    @property
    def grace_left(self) -> float:
        return 0.0

    @property
    def missing(self) -> frozenset[int]:
        return frozenset()

    @property
    def exposed_players(self) -> frozenset[int]:
        return frozenset()

    @property
    def stuck(self) -> bool:
        return False

    @property
    def wishes(self) -> Mapping[int, Wish]:
        return {}

    @property
    def proposal(self) -> None:
        return None

    def has_accepted(self, _player: int) -> bool:
        return False

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        return ()

    @property
    def spectators(self) -> tuple[Spectator, ...]:
        return self.table.spectators

    def bar_spectator(self, _key: bytes) -> NoReturn:
        _only_looks_on()

    def barred_by(self, _key: bytes) -> None:
        """Players alone are told."""
        return

    @property
    def past(self) -> Sequence[Change]:
        return self.table.past

    def changes(self) -> AsyncIterator[Change]:
        return self.table.changes()

    def record(self) -> Iterator[bytes]:
        return self.table.record()

    async def play(self, _move: Move) -> NoReturn:
        _only_looks_on()

    def wish(self, _wish: Wish) -> NoReturn:
        _only_looks_on()

    def join_proposal(self) -> NoReturn:
        _only_looks_on()

    def give_up(self) -> NoReturn:
        _only_looks_on()


def _only_looks_on() -> NoReturn:
    raise Refused("A spectator only looks on.")
