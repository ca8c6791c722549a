"""The linear mode: no screen to look over, but one line for each thing that happens, and a prompt
at the end. It reads well with a screen reader, over a slow line, and from a script.
"""

from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence

import trio
from attrs import evolve

from client.i18n.language import _
from client.i18n.sentences import said
from client.session.snapshot import AfterMatch, Decision, Saving, Snapshot
from client.ui.linear.table_lines import hand_line, pile_line, staged_line, table_lines
from client.ui.model.commands import command_word, spoken
from client.ui.model.controls import Controls
from client.ui.model.hints import Hint, hint
from client.ui.model.table_view import TableView, table_view
from client.ui.model.table_words import status_sentence
from client.ui.model.typed_commands import COMMANDS, run_line
from client.ui.model.typed_moves import CommandError, legal_lines
from client.ui.tui.table.pages import Page, page_lines
from client.ui.tui.toolkit.glyphs import Glyphs
from client.ui.tui.toolkit.spans import text_of
from engine.errors import IllegalMove
from engine.position import Position
from engine.sentences import N_
from protocol.entries import ShuffleContent
from protocol.errors import Refused

Tell = Callable[[Hint], None]

_COLUMNS = 100
PROMPT = "> "


class LinearTable:
    """Shows snapshots as lines, and takes `lines` as commands."""

    def __init__(
        self,
        glyphs: Glyphs,
        lines: AsyncIterator[str],
        write: Callable[[str], None],
        choices: Sequence[AfterMatch] = (),
    ) -> None:
        self._to_presenter, self._decisions = trio.open_memory_channel[Decision](100)
        self._wanted, self._hints = trio.open_memory_channel[tuple[Position, Tell]](100)
        self._controls = Controls(
            lambda *moves: self._to_presenter.send_nowait(moves),
            propose=self._to_presenter.send_nowait,
            save=lambda: self._to_presenter.send_nowait(Saving.RECORD),
            think=lambda view, tell: self._wanted.send_nowait((view, tell)),
        )
        self._glyphs = glyphs
        self._lines = lines
        self._write = write
        self._said = 0
        self._prompted = False
        self._status = ""
        self._awaited: object = None
        self._troubled = False
        self._ended = 0
        self._left = False
        self._wishes = choices
        self._choice = AfterMatch.LEAVE
        self._over = False

    async def run(self) -> AfterMatch:
        """Until the person leaves, or there are no more lines."""
        self._say(
            _("Type a command and Enter; {help} tells which there are.").format(help=spoken("help"))
        )
        self._prompt()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._think)
            async for line in self._lines:
                self._prompted = False
                self._obey(line)
                if self._left:
                    break
                self._prompt()
            nursery.cancel_scope.cancel()
        return self._choice

    async def _think(self) -> None:
        """Look for hints in a thread: the strongest opponent takes its time."""
        async for view, tell in self._hints:
            tell(await trio.to_thread.run_sync(hint, view))
            self._say_notice()
            self._prompt()

    # -- for the presenter

    def show(self, snapshot: Snapshot) -> None:
        controls = self._controls
        controls.show(snapshot)
        new = snapshot.log[len(snapshot.log) - (snapshot.said - self._said) :]
        self._said = snapshot.said
        for line in new:
            self._say(line)
        if snapshot.ended is not None and snapshot.ended.number != self._ended:
            self._ended = snapshot.ended.number
            self._say_page(Page.SHEET)
        self._say_status()
        self._say_awaited(snapshot)
        self._say_end(snapshot)
        self._prompt()

    def refuse(self, error: IllegalMove | Refused) -> None:
        self._controls.refuse(error)
        self._say_notice()
        self._prompt()

    def tell(self, sentence: str) -> None:
        self._say(sentence)
        self._prompt()

    async def decided(self) -> Decision:
        return await self._decisions.receive()

    # -- commands

    def _obey(self, line: str) -> None:
        word = command_word(line.strip(), (*COMMANDS, *ASIDES, *AFTER_MATCH))
        if word is not None and word in ASIDES:
            tell, _meaning = ASIDES[word]
            tell(self)
            return
        if self._may_choose and word is not None and word in AFTER_MATCH:
            self._choice = AFTER_MATCH[word][0]
            self._left = True
            return
        try:
            run_line(self._controls, line)
        except CommandError as error:
            self._controls.say(str(error))
        self._say_notice()
        view = self._view
        staged = staged_line(view, self._glyphs) if view else None
        if staged:
            self._say(staged)

    def _help(self) -> None:
        for word, (_tell, meaning) in ASIDES.items():
            self._say(f"{spoken(word)}: {_(meaning)}")
        for command in COMMANDS.values():
            self._say(f"{spoken(command.usage)}: {_(command.meaning)}")

    @property
    def _may_choose(self) -> bool:
        snapshot = self._controls.snapshot
        return bool(self._wishes) and snapshot is not None and snapshot.state.complete

    def _say_end(self, snapshot: Snapshot) -> None:
        """What can be wished for, once, when the match is over."""
        if snapshot.state.complete and not self._over:
            self._over = True
            for word, (choice, meaning) in AFTER_MATCH.items():
                if choice in self._wishes:
                    self._say(f"{spoken(word)}: {_(meaning)}")
            self._say(f"{spoken('quit')}: {_('leave the table')}")

    def _hand(self) -> None:
        if view := self._view:
            self._say(hand_line(view, self._glyphs))

    def _table(self) -> None:
        if view := self._view:
            for line in table_lines(view, self._glyphs):
                self._say(line)

    def _moves(self) -> None:
        lines = [spoken(line) for line in legal_lines(self._controls)]
        for line in lines or [_("There is nothing to do now.")]:
            self._say(line)

    def _sheet(self) -> None:
        self._say_page(Page.SHEET)

    def _hands(self) -> None:
        self._say_page(Page.HANDS)

    def _fair(self) -> None:
        self._say_page(Page.FAIRNESS)

    def _away(self) -> None:
        self._say_page(Page.AWAY)

    def _quit(self) -> None:
        self._left = True

    # -- saying

    @property
    def _view(self) -> TableView | None:
        controls = self._controls
        if controls.snapshot is None:
            return None
        return table_view(
            controls.snapshot, controls.hand, controls.notice, may_move=controls.may_move
        )

    def _say_status(self) -> None:
        """What there is to do now, when that has changed."""
        view, snapshot = self._view, self._controls.snapshot
        if view is None or snapshot is None:
            return
        due = snapshot.state.due
        if due is not None and due.kind == ShuffleContent.kind and view.doing is not None:
            status = view.doing.text
        elif view.my_move or view.closing:
            status = status_sentence(view)
        else:
            self._status = ""
            return
        if status == self._status:
            return
        self._status = status
        for line in self._turn_lines(view):
            self._say(line)
        self._say(status)

    def _say_awaited(self, snapshot: Snapshot) -> None:
        """Whom the table waits for, and what can be done, whenever that has changed."""
        if snapshot.trouble is not None and not self._troubled:
            self._say(said(snapshot.trouble))
        self._troubled = snapshot.trouble is not None
        absence = snapshot.absence
        news = absence and evolve(absence, silent=0, grace_left=min(absence.grace_left, 1))
        if news == self._awaited:
            return
        self._awaited = news
        view = self._view
        if absence is not None and view is not None:
            self._say(view.doing.text if view.doing else status_sentence(view))
            self._say_page(Page.AWAY)

    def _turn_lines(self, view: TableView) -> Iterator[str]:
        if view.my_move and view.hand:
            yield pile_line(view, self._glyphs)
            yield hand_line(view, self._glyphs)

    def _say_notice(self) -> None:
        if notice := self._controls.notice:
            self._say(f"{notice.text} [{notice.clause}]" if notice.clause else notice.text)

    def _say_page(self, page: Page) -> None:
        if snapshot := self._controls.snapshot:
            for line in page_lines(page, snapshot, self._glyphs, _COLUMNS):
                self._say(text_of(line).rstrip())

    def _say(self, line: str) -> None:
        before = "\n" if self._prompted else ""
        self._prompted = False
        self._write(f"{before}{self._glyphs.plain(line)}\n")

    def _prompt(self) -> None:
        """Ask for a line where one can do something."""
        controls = self._controls
        open_ = controls.may_move or controls.absence_options or self._over
        if open_ and not self._prompted:
            self._write(PROMPT)
            self._prompted = True


AFTER_MATCH: Mapping[str, tuple[AfterMatch, str]] = {
    "again": (AfterMatch.AGAIN, N_("a rematch")),
    "seats": (AfterMatch.OTHER_SEATS, N_("a rematch with the seats changed")),
}
"""What can be typed when the match is over."""

ASIDES: Mapping[str, tuple[Callable[[LinearTable], None], str]] = {
    "help": (LinearTable._help, N_("what you can type")),
    "hand": (LinearTable._hand, N_("your cards")),
    "table": (LinearTable._table, N_("what lies on the table, and who holds how many cards")),
    "moves": (LinearTable._moves, N_("every line that is legal now")),
    "sheet": (LinearTable._sheet, N_("the last score sheet")),
    "hands": (LinearTable._hands, N_("the hands as they were opened")),
    "fair": (LinearTable._fair, N_("what was checked in the last deal")),
    "away": (LinearTable._away, N_("who stays away, and what can be done")),
    "quit": (LinearTable._quit, N_("leave the table")),
}
"""What can be typed that is no command of the table, and what it tells."""
