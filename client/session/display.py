"""What shows an evening to whoever spends it: lobbies, tables, and sentences in between."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from client.session.absence import House
from client.session.lobby import Room
from client.session.next_step import Wish
from p2p.storage.memberships import Membership
from p2p.table.node import Node


class Front(Protocol):
    """`client.ui.displays` has one for a person, and one for a program that plays."""

    @property
    def ready(self) -> bool:
        """Whether a charter may be signed without asking."""

    def stage(self) -> AbstractContextManager[None]:
        """What is shown one after the other in this block shows on one screen."""

    def tell(self, line: str) -> None:
        """Say something, as soon as it can be read."""

    async def lobby(self, room: Room) -> Membership | None:
        """What the lobby comes to; None when the person leaves. Raises as `Room.run`."""

    async def table(self, node: Node, house: House, wishes: Sequence[Wish]) -> Wish:
        """Play at a running table until the person leaves, with one of the wishes when the match
        is over. Opponents of `house` may take the seats of players who stay away.
        """
