"""The two displays of a session: for a person who plays, and for a program that plays."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import NoReturn

import trio
from attrs import define, field, frozen

from client.bots.runner import opponent_at_table, sit_in
from client.i18n.language import _
from client.i18n.names import with_and
from client.i18n.sentences import said
from client.session.display.absence import OwnBots
from client.session.display.display_interface import Reach, Restore
from client.session.display.lobby_interface import Lobby, sit_in_lobby
from client.session.display.node_interface import NodeAtSeat
from client.session.display.snapshot import AfterMatch
from client.session.table import opening_lines
from client.ui.choose_display import restoring_display, show_lobby, show_table, wait_for_table
from client.ui.linear.bot_table import show_bot_table
from client.ui.linear.lobby import LobbyLines
from client.ui.model.pages import Page
from client.ui.text.console import Console
from client.ui.text.events import Narrator
from client.ui.tui.terminal.alternate_screen import hold_screen
from client.ui.tui.toolkit.terminal_look import TerminalLook, write_out
from p2p.match.match_node import MatchNode
from p2p.storage.memberships import Membership
from p2p.table.asides import Asides
from p2p.table.node_updates import no_progress


@define
class PersonDisplay:
    """The display for a person: the whole screen, or lines."""

    look: TerminalLook
    own_screen: bool = True
    """True if this display opens and leaves the whole screen; False if its caller does."""
    unsaid: list[str] = field(factory=list)
    """Lines that came while a whole screen was shown: printed when it is left, if it is our own."""
    ready: bool = False
    _staged: bool = False

    @contextmanager
    def hold_screen(self) -> Iterator[None]:
        if self.look.lines is not None or not self.own_screen:
            yield
            return
        self._staged = True
        try:
            with hold_screen():
                yield
        finally:
            self._staged = False
            for line in self.unsaid:
                self._say(line)

    def tell(self, line: str) -> None:
        if self.look.lines is None and (self._staged or not self.own_screen):
            self.unsaid.append(line)
        else:
            self._say(line)

    async def lobby(self, lobby: Lobby) -> Membership | None:
        return await show_lobby(lobby, self.look)

    async def restoring(self, restore: Restore) -> bool:
        return await restoring_display(self.look)(restore)

    async def table(
        self, node: MatchNode, bots: OwnBots, choices: Sequence[AfterMatch]
    ) -> AfterMatch:
        alone = bots.alone
        if self.look.lines is not None:
            for line in opening_lines(node, alone=alone):
                self.tell(line)
        # There is nobody to compare words with; nor anew at a table that is taken up again.
        opening = None if alone or node.height else Page.WORDS
        asides = None if alone else node.asides
        return await show_table(node, self.look, bots, choices, opening, asides)

    async def reaching(self, reach: Reach) -> bool:
        return await wait_for_table(reach, self.look)

    async def watch(self, seat: NodeAtSeat, asides: Asides) -> None:
        if self.look.lines is not None:
            names = with_and(member.name for member in seat.state.charter.members)
            game = seat.state.match.game.title
            self.tell(_("You watch. {game}. At the table: {names}.").format(game=game, names=names))
        await show_table(seat, self.look, asides=asides, watching=True)

    def _say(self, line: str) -> None:
        write_out(self.look.glyphs.plain(line) + "\n")


@frozen
class ProgramDisplay:
    """The display for a bot: lines on a console."""

    console: Console
    level: str
    seed: int | None
    ready: bool = True

    def hold_screen(self) -> AbstractContextManager[None]:
        return nullcontext()

    def tell(self, line: str) -> None:
        self.console.line(line)

    async def lobby(self, lobby: Lobby) -> Membership | None:
        return await sit_in_lobby(lobby, LobbyLines(self.tell))

    async def restoring(self, restore: Restore) -> bool:
        await restore(no_progress)
        return True

    async def table(
        self, node: MatchNode, bots: OwnBots, choices: Sequence[AfterMatch]
    ) -> AfterMatch:
        del bots, choices
        for line in opening_lines(node):
            self.tell(line)
        seed = None if self.seed is None else f"{self.seed}"
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_tell_trouble, node, self.tell)
            nursery.start_soon(_tell_asides, node, Narrator(symbols=False), self.tell)
            nursery.start_soon(
                sit_in, node, opponent_at_table(self.level, node.charter.game.name, seed)
            )
            await show_bot_table(node, self.console)
            nursery.cancel_scope.cancel()
        return AfterMatch.LEAVE


async def _tell_trouble(node: MatchNode, tell: Callable[[str], None]) -> NoReturn:
    """Tell whenever the node can only look on, and why: nobody plays on at that seat.

    A node that still waits for the others' records is not in trouble: what it lacks comes with
    them.
    """
    said_last = None
    while True:
        trouble = node.trouble if node.is_sure else None
        if trouble is not None and trouble != said_last:
            tell(said(trouble))
        said_last = trouble
        await node.progress.wait()


async def _tell_asides(node: MatchNode, narrator: Narrator, tell: Callable[[str], None]) -> None:
    """Tell what the others say beside the game: above all, that they leave."""
    async for spoken in node.asides.listen():
        if spoken.player != node.me:
            name = node.charter.name_of(spoken.player)
            tell(narrator.said(name, spoken.code, own=False).sentence)
