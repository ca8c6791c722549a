"""A base class for seats at which there is nothing to decide about other people."""

from typing import NoReturn

from protocol.errors import Refused
from protocol.match.messages import Wish


class QuietSeat:
    """The decisions of `client.session.display.node_interface.NodeAtSeat`; each one is refused.

    The table is shown from the side of the first player.
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
