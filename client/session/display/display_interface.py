"""The interfaces of the displays of a table and of a whole session.

`client.ui` has the displays.
"""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from client.session.display.absence import OwnBots
from client.session.display.lobby_interface import Lobby
from client.session.display.snapshot import AfterMatch, Snapshot, TableDecision
from engine.errors import IllegalMove
from p2p.match.match_node import MatchNode
from p2p.storage.memberships import Membership
from p2p.table.node_updates import Progress
from protocol.errors import Refused

Restore = Callable[[Progress], Awaitable[None]]
"""Function that restores a resumed table from its journal."""

Restoring = Callable[[Restore], Awaitable[bool]]
"""Function that calls a `Restore`, shows its progress, and returns False if the person leaves."""


class TableDisplay(Protocol):
    """A display of a table, on a screen or in lines: it shows snapshots and returns decisions."""

    def show(self, snapshot: Snapshot) -> None: ...

    def refuse(self, error: IllegalMove | Refused) -> None:
        """Show why a decision could not be carried out."""

    def tell(self, sentence: str) -> None:
        """Show the result of a decision."""

    async def decided(self) -> TableDecision:
        """Return the person's next decision."""


class SessionDisplay(Protocol):
    """A display of lobbies, tables, and sentences in between."""

    @property
    def ready(self) -> bool:
        """Return True if a charter may be signed without asking the person."""

    def hold_screen(self) -> AbstractContextManager[None]:
        """Keep the terminal's alternate screen open during the block, whatever is shown there."""

    def tell(self, line: str) -> None:
        """Print a line; if the alternate screen is open, print the line when that screen closes."""

    async def lobby(self, lobby: Lobby) -> Membership | None:
        """Return the membership when all have signed; None if the person leaves.

        Raises the errors of `Lobby.run`.
        """

    async def restoring(self, restore: Restore) -> bool:
        """Restore a table and show the progress; return False if the person leaves meanwhile."""

    async def table(
        self, node: MatchNode, own_bots: OwnBots, choices: Sequence[AfterMatch]
    ) -> AfterMatch:
        """Play until the person leaves, or until they choose one of `choices` after the match.

        `own_bots` must be called each time that these players are needed, because a bot may take
        the seat of a player who stays away.
        """
