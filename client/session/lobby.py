"""What the client needs of a place in a lobby, and what stands between the place and its display.

As at a table, a snapshot is a value that may be handed to another thread.
"""

from enum import Enum, auto
from typing import Protocol

import trio
from attrs import frozen

from p2p.storage.memberships import Membership
from p2p.transport.lobby_messages import LobbyState


class Decision(Enum):
    """What a person in a lobby can do, besides leaving it."""

    READY = auto()
    WAIT = auto()
    ADD_OPPONENT = auto()
    SEND_OPPONENT_AWAY = auto()


@frozen
class LobbySnapshot:
    """What one's own place in a lobby knew at one moment. `lobby_state` is None while the host has
    not told anything, `host` who that is then; `candidate` tells that the table has begun and that
    the others may give the seat of somebody who is absent. `addresses` are where others can sit
    down by hand, `opponents` the keys of those that play for the program here; `news` ends with
    the newest line.
    """

    me: bytes
    hosting: bool
    lobby_state: LobbyState | None = None
    host: str = ""
    candidate: bool = False
    addresses: tuple[str, ...] = ()
    opponents: frozenset[bytes] = frozenset()
    news: tuple[str, ...] = ()

    @property
    def ready(self) -> bool:
        """Whether the person has said that she is."""
        present = self.lobby_state.present if self.lobby_state else ()
        return any(sitter.ready for sitter in present if sitter.key == self.me)


class Room(Protocol):
    """One's own place in a lobby; `client.session.hosting` and `.visiting` have it. `title` is that
    of the table, "" as long as it is not known.
    """

    @property
    def title(self) -> str: ...

    @property
    def snapshot(self) -> LobbySnapshot: ...

    async def run(self) -> Membership:
        """Until the charter is signed; to leave, cancel it. Raises LinkError, Malformed."""

    async def changed(self) -> None:
        """Wait until there is something new."""

    def decide(self, decision: Decision) -> None:
        """Do what the person wants."""


class LobbyDisplay(Protocol):
    """A screen, or lines: it shows snapshots and says what the person has decided."""

    def show(self, snapshot: LobbySnapshot) -> None: ...

    async def decided(self) -> Decision: ...

    async def run(self) -> None:
        """Until the person leaves."""


async def sit_in_lobby(room: Room, display: LobbyDisplay) -> Membership | None:
    """What the lobby comes to; None when the person leaves. Raises as `Room.run`."""
    memberships: list[Membership] = []
    async with trio.open_nursery() as nursery:

        async def sit() -> None:
            memberships.append(await room.run())
            nursery.cancel_scope.cancel()

        async def follow() -> None:
            while True:
                display.show(room.snapshot)
                await room.changed()

        async def obey() -> None:
            while True:
                room.decide(await display.decided())

        for task in (sit, follow, obey):
            nursery.start_soon(task)
        await display.run()
        nursery.cancel_scope.cancel()
    return memberships[0] if memberships else None
