"""The displays of a session: for a person, on the whole screen or in lines, and for a program."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from typing import NoReturn

import trio
from attrs import define, field, frozen

from client.bots.runner import opponent_at_table, sit_in
from client.i18n.language import _, number, with_and
from client.i18n.sentences import said
from client.session.display.absence import OwnBots, expected_elsewhere
from client.session.display.aside_lines import aside_line
from client.session.display.display_interface import Restore
from client.session.display.lobby_interface import Lobby, sit_in_lobby
from client.session.display.node_interface import NodeAtSeat
from client.session.display.presenter import LessonAt, Presenter
from client.session.display.snapshot import AfterMatch
from client.session.table import opening_lines
from client.session.watched_table import Reach
from client.ui.linear.bot_table import show_bot_table
from client.ui.linear.lobby import LobbyLines
from client.ui.linear.table import LinearTable
from client.ui.model.hint import Hints
from client.ui.model.pages import Page
from client.ui.model.review_at_table import OnText, OwnReview, Reviewer, WrittenReview
from client.ui.text.absence import exposed_sentence
from client.ui.text.console import Console
from client.ui.text.events import log_lines
from client.ui.tui.lobby.screen import LobbyScreen
from client.ui.tui.table.screen import TableScreen
from client.ui.tui.terminal.hold_screen import hold_screen
from client.ui.tui.toolkit.dialogs import OnProgress, while_waiting
from client.ui.tui.toolkit.glyphs import Glyphs
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
    """Lines that could not be written while the whole screen was open.

    `hold_screen` writes them afterwards. Without `own_screen`, the caller writes them.
    """
    ready: bool = False
    _holds_screen: bool = False

    @contextmanager
    def hold_screen(self) -> Iterator[None]:
        if self.look.lines is not None or not self.own_screen:
            yield
            return
        self._holds_screen = True
        try:
            with hold_screen():
                yield
        finally:
            self._holds_screen = False
            while self.unsaid:
                self.look.say(self.unsaid.pop(0))

    def tell(self, line: str) -> None:
        if self.look.lines is None and (self._holds_screen or not self.own_screen):
            self.unsaid.append(line)
        else:
            self.look.say(line)

    async def lobby(self, lobby: Lobby) -> Membership | None:
        look = self.look
        if look.lines is None:
            return await sit_in_lobby(lobby, LobbyScreen(look))
        return await sit_in_lobby(lobby, LobbyLines(look.say, look.lines))

    async def restoring(self, restore: Restore) -> bool:
        async def wait(on_progress: OnProgress) -> bool:
            def progress(done: int, total: int) -> None:
                template = _("Entry {done} of {total}")
                on_progress(template.format(done=number(done), total=number(total)))

            await restore(progress)
            return True

        return bool(await while_waiting(_("Taking up the table"), wait, self.look, quiet=True))

    async def solo(self, node: MatchNode) -> AfterMatch:
        """Show a table against bots; after the match the person can choose a rematch."""
        return await show_table(node, self.look, choices=(AfterMatch.AGAIN, AfterMatch.OTHER_SEATS))

    async def table(
        self, node: MatchNode, own_bots: OwnBots, choices: Sequence[AfterMatch]
    ) -> AfterMatch:
        # At a table with only bots of this machine there is nobody to talk to.
        alone = not expected_elsewhere(len(node.charter.members), {node.me, *own_bots()})
        if self.look.lines is not None:
            for line in opening_lines(node, alone=alone):
                self.tell(line)
        # People compare the table's words, and only once. So a table with only bots does not begin
        # with the words, nor does a resumed table.
        opening = None if alone or node.height else Page.WORDS
        asides = None if alone else node.asides
        return await show_table(node, self.look, own_bots, choices, opening, asides)

    async def reaching(self, reach: Reach) -> bool:
        return bool(await while_waiting(_("Looking for the table…"), reach, self.look))

    async def watch(self, seat: NodeAtSeat, asides: Asides) -> None:
        if self.look.lines is not None:
            names = with_and(member.name for member in seat.state.charter.members)
            game = seat.state.match.game.title
            self.tell(_("You watch. {game}. At the table: {names}.").format(game=game, names=names))
        await show_table(seat, self.look, asides=asides, watching=True)


async def show_table(
    seat: NodeAtSeat,
    look: TerminalLook,
    own_bots: OwnBots | None = None,
    choices: Sequence[AfterMatch] = (),
    opening: Page | None = None,
    asides: Asides | None = None,
    *,
    watching: bool = False,
    lesson: LessonAt | None = None,
) -> AfterMatch:
    """Show the table until the person leaves, or chooses one of `choices` after the match.

    Without `own_bots`, as in a lesson, no player is ever shown as missing. `asides` carries the
    phrases that people say; a spectator, for whom `watching` is True, only hears them. A screen
    begins with the page `opening`. `lesson`, in a lesson, returns the learner's current step.

    Raises Interrupted when the terminal is gone.
    """
    speaks = asides is not None and not watching
    display = (
        TableScreen(look, choices, opening, speaks=speaks)
        if look.lines is None
        else LinearTable(look.glyphs, look.lines, write_out, choices, speaks=speaks)
    )
    display.controls.hints = Hints(look.hints)
    token = trio.lowlevel.current_trio_token()
    is_match_of_own = not watching and lesson is None
    own = OwnReview(_reviewer(seat, look.glyphs, token)) if is_match_of_own else None
    display.controls.own_review = own
    if own is not None and isinstance(display, TableScreen):
        own.redraw = display.redraw
    narrate = partial(log_lines, symbols=look.glyphs.symbols)
    async with trio.open_nursery() as nursery:
        presenter = Presenter(seat, display, narrate, own_bots, asides, watching, lesson)
        nursery.start_soon(presenter.run)
        choice = await display.run()
        if own is not None:
            own.wanted = False
        nursery.cancel_scope.cancel()
    return choice


def _reviewer(seat: NodeAtSeat, glyphs: Glyphs, token: trio.lowlevel.TrioToken) -> Reviewer:
    """Return a function that judges the decisions of a seat's player; it runs in a thread."""

    def review(on_text: OnText) -> WrittenReview:
        # Lazy imports: they load all bots and reports, and few players ask for a review.
        from client.ui.model.game_review import review_record  # noqa: PLC0415
        from client.ui.tui.replay.review_lines import review_lines, review_sentences  # noqa: PLC0415

        record = trio.from_thread.run_sync(seat.record, trio_token=token)
        found = review_record(record, seat.me, on_text)
        sentences = tuple(review_sentences(found, glyphs))
        return WrittenReview(lambda width: review_lines(found, glyphs, width), sentences)

    return review


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
        self, node: MatchNode, own_bots: OwnBots, choices: Sequence[AfterMatch]
    ) -> AfterMatch:
        del own_bots, choices
        for line in opening_lines(node):
            self.tell(line)
        seed = None if self.seed is None else f"{self.seed}"
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_tell_trouble, node, self.tell)
            nursery.start_soon(_tell_asides, node, self.tell)
            nursery.start_soon(
                sit_in, node, opponent_at_table(self.level, node.charter.game.name, seed)
            )
            await show_bot_table(node, self.console)
            nursery.cancel_scope.cancel()
        return AfterMatch.LEAVE


async def _tell_trouble(node: MatchNode, tell: Callable[[str], None]) -> NoReturn:
    """Tell who has cheated, and each new problem because of which the node can only watch.

    A node that still waits for the others' records has no problem yet: they may have what it lacks.
    """
    said_last, cheats = None, frozenset[int]()
    while True:
        if node.exposed_players - cheats:
            names = [member.name for member in node.charter.members]
            tell(exposed_sentence(sorted(node.exposed_players), names, node.exposed))
        cheats = node.exposed_players
        trouble = node.trouble if node.going_on.is_sure else None
        if trouble is not None and trouble != said_last:
            tell(said(trouble))
        said_last = trouble
        await node.progress.wait()


async def _tell_asides(node: MatchNode, tell: Callable[[str], None]) -> None:
    """Show the asides of the others: phrases and, more important, the notice that they leave."""
    async for spoken in node.asides.listen():
        if spoken.player != node.me:
            name = node.charter.name_of(spoken.player)
            tell(aside_line(name, spoken.code, own=False).sentence)
