"""The interface between a lobby and its display: the lobby gives snapshots and takes decisions.

Snapshots are immutable, and may be passed to another thread.
"""

from abc import ABC, abstractmethod
from enum import Enum, auto
from typing import Protocol

import trio
from attrs import define, field, frozen

from p2p.storage.memberships import Membership
from p2p.transport.lobby_messages import LobbyState


class Action(Enum):
    """A decision that needs no further data, made by a person in a lobby.

    Leaving is no such decision: it ends the display.
    """

    READY = auto()
    WAIT = auto()
    ADD_OPPONENT = auto()
    SEND_OPPONENT_AWAY = auto()


@frozen
class LetIn:
    """The decision of a host to let in the players who knock with these keys.

    The host has seen all of them on the screen.
    """

    keys: tuple[bytes, ...]


@frozen
class SendAway:
    """The decision of a host to send away the guest with this key, who sits or knocks."""

    key: bytes


LobbyDecision = Action | LetIn | SendAway


_NEWS_LINES = 50


@frozen
class News:
    """The newest lines about a lobby, the newest last; `said` is the number of all lines so far."""

    lines: tuple[str, ...] = ()
    said: int = 0

    def and_then(self, line: str) -> "News":
        """Return the news with one more line."""
        return News((*self.lines, line)[-_NEWS_LINES:], self.said + 1)

    def after(self, said: int) -> tuple[str, ...]:
        """Return the lines after the first `said` lines, as far as they are still kept."""
        # With 60 lines said and 50 kept, `after(55)` returns the last 5, and `after(3)` all 50.
        return self.lines[max(0, len(self.lines) - (self.said - said)) :]


@frozen
class LobbySnapshot:
    """The lobby at one moment, for its display."""

    me: bytes
    """Our public key."""
    hosting: bool
    lobby_state: LobbyState | None = None
    """The host's last message; None until the host has answered."""
    host: str = ""
    """The host's name, if it is known before the first answer."""
    delay: str = ""
    """A sentence that tells why there is no answer yet, while the program calls again; otherwise
    "".
    """
    candidate: bool = False
    """True if the match has begun, and we ask for the seat of an absent player."""
    addresses: tuple[str, ...] = ()
    """The addresses that others can type when they join."""
    opponents: frozenset[bytes] = frozenset()
    """The public keys of our bots."""
    news: News = News()
    known: frozenset[bytes] = frozenset()
    """The public keys of players met before."""

    @property
    def ready(self) -> bool:
        """Return True if this player is ready to sign the charter."""
        present = self.lobby_state.present if self.lobby_state else ()
        return any(sitter.ready for sitter in present if sitter.key == self.me)


@define(eq=False)
class Lobby(ABC):
    """A lobby that we host or have joined. `title` names the table; it is "" until it is known."""

    _news: News = field(factory=News, init=False)
    _changed: trio.Event = field(factory=trio.Event, init=False)

    @property
    @abstractmethod
    def title(self) -> str: ...

    @property
    @abstractmethod
    def snapshot(self) -> LobbySnapshot: ...

    @abstractmethod
    async def run(self) -> Membership:
        """Run until the charter is signed, and return the membership. To leave, cancel this call.

        Raises LinkError, and Malformed, Mismatch or OutOfTurn if the host breaks the protocol.
        """

    @abstractmethod
    def decide(self, decision: LobbyDecision) -> None:
        """Carry out a decision of the person, if it is possible now."""

    async def changed(self) -> None:
        """Wait for the next change of the snapshot."""
        await self._changed.wait()

    def _tell(self, *lines: str | None) -> None:
        """Add lines to the news; None is left out."""
        for line in filter(None, lines):
            self._news = self._news.and_then(line)
        self._wake()

    def _wake(self) -> None:
        """Wake whoever waits for a change."""
        # The old event wakes all who wait now; a new one is for the next change.
        self._changed.set()
        self._changed = trio.Event()


class LobbyDisplay(Protocol):
    """A display of a lobby, on a screen or in lines: it shows snapshots and returns decisions."""

    def show(self, snapshot: LobbySnapshot) -> None: ...

    async def decided(self) -> LobbyDecision: ...

    async def run(self) -> None:
        """Run until the person leaves."""


async def sit_in_lobby(lobby: Lobby, display: LobbyDisplay) -> Membership | None:
    """Return the membership when all have signed; None if the person leaves.

    Raises the errors of `Lobby.run`.
    """
    memberships: list[Membership] = []
    async with trio.open_nursery() as nursery:

        async def sit() -> None:
            memberships.append(await lobby.run())
            nursery.cancel_scope.cancel()

        async def follow() -> None:
            while True:
                display.show(lobby.snapshot)
                await lobby.changed()

        async def obey() -> None:
            while True:
                lobby.decide(await display.decided())

        for task in (sit, follow, obey):
            nursery.start_soon(task)
        await display.run()
        nursery.cancel_scope.cancel()
    return memberships[0] if memberships else None
