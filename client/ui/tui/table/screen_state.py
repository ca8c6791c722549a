"""The window of the table: the open page, the pause after a round, and the actions of keys."""

from collections.abc import Callable

from attrs import define, evolve

from client.i18n.language import _
from client.i18n.sentences import said
from client.session.display.snapshot import AfterMatch, Snapshot
from client.ui.model.command_words import command_word
from client.ui.model.commands.find_commands import command_of, offered_now, run_line, short_forms
from client.ui.model.commands.people import go_on_by, say_phrase
from client.ui.model.commands.rules_page import open_rules, turn_page
from client.ui.model.commands.table_commands import COMMAND_NAMED, Command
from client.ui.model.commands.typed_moves import CommandError
from client.ui.model.controls import Controls
from client.ui.model.hand import Notice
from client.ui.model.pages import Page
from client.ui.model.table_view import TableView, last_layout, log_of_round
from client.ui.model.table_words import pause_sentence
from client.ui.tui.toolkit.glyphs import Glyphs
from client.ui.tui.toolkit.spans import Click
from engine.moves import DrawStock
from engine.sentences import N_
from engine.slots import Slot
from engine.turn import Step

_BETWEEN_ROUNDS = ("again", "seats", "quit", "agree", "away", "say", "record", "help", "review")
"""Commands that work while a finished round is shown, besides those that open a page."""

_PAGES = tuple(COMMAND_NAMED[word] for word in ("sheet", "hands", "fair", "log"))
"""Commands for pages. The footer shows them after a round; at other times only their keys work."""
_END = 1_000_000  # lines: more than a page can have
_NEXT_ROUND = Command("", "Enter", N_("go on to the next round"), label=N_("next round"))


@define
class ScreenState:
    """The state of the table's window, and the actions of keys and clicks in it."""

    controls: Controls
    glyphs: Glyphs
    press: Callable[[str], None] = lambda _key: None
    """Function that acts as if the person had pressed a key."""
    page: Page | None = None
    """Page that lies over the table; None if there is none."""
    pause: TableView | None = None
    """Last layout of a counted round, shown until the person goes on; None outside the pause.

    The node does not wait for the person: the table goes on meanwhile, unseen.
    """
    scroll: int = 0
    """Number of lines by which the page is scrolled down."""
    most_scroll: int = 0
    """The maximum for `scroll` when the page was last drawn."""
    command_open: bool = False
    _said: int | None = None
    """The number of all log lines so far, from the newest snapshot; None before the first one."""
    _last_round: int = 0
    _goes_on: bool = False
    """True if the person wants to go on, but not all have signed the round yet."""
    _heard: Notice | None = None
    """The notice that shows another player's newest phrase."""
    _exposed: tuple[int, ...] = ()
    _presses: int = 0
    _asked_at: int = -2
    """The value of `_presses` when the person was last asked about leaving."""

    def __attrs_post_init__(self) -> None:
        self.controls.open_page = self.open_page

    def show(self, snapshot: Snapshot) -> None:
        """Show a newer snapshot; if a round was just counted, open its sheet."""
        resumed = self._said is None and bool(snapshot.state.match.round_number)
        self._hear(snapshot)
        self.controls.show(snapshot)
        # If the line about the awaited player says the same as the notice, drop the notice.
        if (notice := self.controls.notice) and notice.text in self.controls.view.awaited:
            self.controls.notice = None
        if self._goes_on:
            self.go_on()
        if self.page is Page.AWAY and snapshot.absence is None:
            self.close_page()
        cheated = snapshot.absence.exposed if snapshot.absence is not None else ()
        if cheated and cheated != self._exposed:
            self.open_page(Page.AWAY)
        self._exposed = cheated
        # If a round was counted before this display began, the person has seen its sheet.
        counted = snapshot.last_counted
        if counted is not None and counted.number != self._last_round:
            self._last_round = counted.number
            if not resumed:
                self.pause = last_layout(snapshot)
                self.open_page(Page.SHEET)

    def _hear(self, snapshot: Snapshot) -> None:
        """Show another player's newest phrase in the notice while a page or pause hides the log."""
        before, self._said = self._said, snapshot.said
        line = snapshot.log[-1] if snapshot.log else None
        if line is None or not line.aside or before in (None, snapshot.said):
            return
        if self.paused or (self.page is not None and self.controls.notice is None):
            self.controls.say(line.sentence)
            self._heard = self.controls.notice

    @property
    def view(self) -> TableView:
        """The table as it is shown."""
        now = self.controls.view
        if self.pause is None:
            return now
        text = now.closing or pause_sentence(
            now, self.pause.round_number, last=self._was_last, signed=self._is_signed
        )
        log = log_of_round(now.log, now.round_number - self.pause.round_number)
        return evolve(self.pause, closing=text, awaited=now.awaited, notice=now.notice, log=log)

    @property
    def paused(self) -> bool:
        """True if the table shows a round that is over."""
        return self.pause is not None

    def go_on(self) -> None:
        """Close the page, and leave the pause as soon as all have signed the round.

        After the last round the pause stays.
        """
        self.close_page()
        self._goes_on = self.paused and not self._was_last
        if self._goes_on and self._is_signed:
            self.pause, self._goes_on = None, False

    @property
    def offered(self) -> tuple[Command, ...]:
        """The commands for the footer."""
        commands = offered_now(self.controls)
        if self.page is Page.AWAY:
            return tuple(command for command in commands if not _is_letter(command.key))
        if not self.paused:
            return commands
        own = tuple(command for command in commands if command.word in _BETWEEN_ROUNDS)
        goes_on = self._is_signed and not self._was_last
        return (_NEXT_ROUND, *own, *_PAGES) if goes_on else (*own, *_PAGES)

    @property
    def _was_last(self) -> bool:
        """True if no round follows the counted one, which may still have to be signed."""
        match = self.controls.snapshot.state.match
        return (match.close_round() if match.round_over else match).over

    @property
    def _is_signed(self) -> bool:
        """True if all have signed the round that is shown."""
        assert self.pause is not None
        return len(self.controls.snapshot.state.match.sheets) >= self.pause.round_number

    def open_page(self, page: Page) -> None:
        """Open a page at its beginning; the log at its end, where the newest lines are."""
        self._goes_on = False
        self.page = page
        self.scroll = _END if page is Page.LOG else 0

    def close_page(self) -> None:
        if not self.paused and self.controls.notice is self._heard:
            self.controls.notice = None  # the log shows the phrase
        self.page = None

    def leave_page(self) -> None:
        """Close the page, and if the match is over, the table with it."""
        self.close_page()
        if self.controls.over:
            self.pressed("q")

    def pressed(self, key: str) -> None:
        """Do what a key stands for.

        While a page is open, these commands work:

        - those that open another page;
        - those of the footer, for which the page is closed;
        - `record`, which leaves the page open.
        """
        if self.page is Page.AWAY and _is_letter(key):
            return  # on this page a letter chooses a way to go on
        if self.paused and key == _NEXT_ROUND.key:
            self.go_on()
            return
        command = command_of(key, self.controls)
        if command is None or self._held_back(command):
            return
        if command.page is not None:
            if command.press is not None:
                command.press(self.controls)
            else:
                self.open_page(command.page)
        elif self.page is None or command.offered(self.controls) or command.word == "record":
            if command.word != "record":
                self.close_page()
            if command.press is not None:
                command.press(self.controls)

    def _held_back(self, command: Command) -> bool:
        """Return True, and say why, if a command cannot be used in the pause after a round."""
        held = self.paused and command.page is None and command.word not in _BETWEEN_ROUNDS
        if held and self._was_last:
            self.controls.say(_("The match is over."))
        elif held and not self._is_signed:
            self.controls.say(_("The round is over: all have to sign it first."))
        elif held:
            self.controls.say(_("The round is over: Enter goes on to the next one."))
        return held

    def digit(self, number: int) -> None:
        """Add the selected cards to meld `number`; on the page of phrases, say phrase `number`."""
        if self.page is Page.PHRASES:
            self.say_phrase(number)
        elif self.page is None and not self.paused:
            self.controls.add(number)

    def say_phrase(self, number: int) -> None:
        """Say the phrase of that number on the page of phrases."""
        self.close_page()
        say_phrase(self.controls, number)

    def turn_page(self, by: int) -> None:
        """Go to the next (1) or previous (-1) subject of the rules."""
        if self.page is Page.RULES:
            turn_page(self.controls, by)

    def scroll_by(self, lines: int) -> None:
        self.scroll = max(0, min(self.scroll, self.most_scroll) + lines)

    def key_pressed(self) -> None:
        """Count a key press: the question about leaving holds for the next key only."""
        self._presses += 1
        if self._asked_at == self._presses - 1:
            self.controls.notice = None

    def ask_to_leave(self) -> None:
        """Leave at the second request in a row."""
        controls = self.controls
        if controls.over or self._asked_at == self._presses - 1:
            controls.leave(AfterMatch.LEAVE)
        self._asked_at = self._presses
        controls.say(_("Leave the table? Ctrl-C again leaves, any other key stays."))

    def run_line(self, line: str) -> None:
        """Run a typed line."""
        word = command_word(line.strip().partition(" ")[0], short_forms())
        if word is not None and self._held_back(COMMAND_NAMED[word]):
            return
        try:
            run_line(self.controls, line)
        except CommandError as error:
            self.controls.say(said(error))

    def clicked(self, click: Click) -> None:
        """Do what a click stands for."""
        controls = self.controls
        if self.paused and click.what in ("card", "meld", "stock", "pile"):
            return
        match click.what:
            case "card":
                controls.toggle(Slot(click.number))
            case "meld":
                controls.add(click.number)
            case "way":
                go_on_by(controls, click.key)
            case "phrase":
                self.say_phrase(click.number)
            case "subject":
                open_rules(controls, f"{click.number}")
            case "stock":
                controls.make(DrawStock())
            case "key":
                self.press(click.key)
            case "pile" if controls.may(Step.DRAW):
                controls.take()
            case "pile":
                controls.discard()


def _is_letter(key: str) -> bool:
    return len(key) == 1 and key.isalpha()
