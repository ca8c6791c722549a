"""What a seat answers at a table at which nobody is ever missing, or can be talked to."""

from collections.abc import Mapping
from typing import NoReturn

from engine.sentences import Sentence
from p2p.match.waiting_room import Candidate
from p2p.table.node_updates import Awaited
from p2p.transport.match_messages import Wish
from p2p.transport.spectator_messages import Spectator
from protocol.errors import Exposed, Refused


class QuietSeat:
    """The answers about absent players, of `client.session.display.node_interface.NodeAtSeat`.

    The table is drawn from the side of the first player. Nothing can be wished for.
    """

    __slots__ = ()

    @property
    def me(self) -> int:
        return 0

    @property
    def exposed(self) -> Exposed | None:
        return None

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
        return ()

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
