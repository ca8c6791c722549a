"""What is open on the screen beside the table itself: a page over it, or the command line."""

from collections.abc import Callable, Mapping, Sequence

from attrs import define

from client.i18n.language import _
from client.session.snapshot import AfterMatch, Snapshot
from client.ui.model.commands import command_word
from client.ui.model.controls import Controls
from client.ui.model.table_view import TableView, table_view
from client.ui.model.typed_commands import run_line
from client.ui.model.typed_moves import CommandError
from client.ui.tui.table.pages import Page
from client.ui.tui.toolkit.glyphs import Glyphs
from client.ui.tui.toolkit.spans import Click
from engine.slots import Slot
from engine.turn import Step


@define
class TableWindow:
    """`page` lies over the table while it is open, scrolled down by `scroll` lines; `press`
    presses a key for the person. `choices` are what can follow the match.
    """

    controls: Controls
    glyphs: Glyphs
    leave: Callable[[AfterMatch], None]
    press: Callable[[str], None] = lambda _key: None
    page: Page | None = None
    scroll: int = 0
    command_open: bool = False
    choices: Sequence[AfterMatch] = ()
    _last_round: int = 0
    _presses: int = 0
    _asked_at: int = -2

    def show(self, snapshot: Snapshot) -> None:
        """The table has moved on; a round that was just counted shows its sheet."""
        self.controls.show(snapshot)
        ended = snapshot.ended
        if ended is not None and ended.number != self._last_round:
            self._last_round = ended.number
            self.open_page(Page.SHEET)

    @property
    def view(self) -> TableView | None:
        """The table as it stands; None before the first snapshot."""
        controls = self.controls
        if controls.snapshot is None:
            return None
        return table_view(
            controls.snapshot, controls.hand, controls.notice, may_move=controls.may_move
        )

    @property
    def clause(self) -> str | None:
        """The clause behind the last answer."""
        return self.controls.notice.clause if self.controls.notice else None

    def open_page(self, page: Page) -> None:
        self.page = page
        self.scroll = 0

    def close_page(self) -> None:
        self.page = None

    @property
    def over(self) -> bool:
        """All have signed the end of the match."""
        snapshot = self.controls.snapshot
        return snapshot is not None and snapshot.state.complete

    def may_choose(self, choice: AfterMatch) -> bool:
        """The moment for that choice has come."""
        return self.over and choice in (*self.choices, AfterMatch.LEAVE)

    def part(self, choice: AfterMatch) -> None:
        """Be done with a match that is over."""
        self.leave(choice)

    def choose_absence_option(self, number: int) -> None:
        """Agree to what has that number on the page about a player who stays away."""
        self.close_page()
        self.controls.agree(number)

    def scroll_by(self, lines: int) -> None:
        self.scroll = max(0, self.scroll + lines)

    def key_pressed(self) -> None:
        """Any key was pressed: what was asked about leaving stands only for the next one."""
        self._presses += 1
        if self._asked_at == self._presses - 1:
            self.controls.notice = None

    def ask_to_leave(self) -> None:
        """Leave, if it is said twice on end."""
        if self.over or self._asked_at == self._presses - 1:
            self.leave(AfterMatch.LEAVE)
        self._asked_at = self._presses
        self.controls.say(_("Leave the table? Ctrl-C again leaves, any other key stays."))

    def run_line(self, line: str) -> None:
        """Do what a typed line says."""
        page = _PAGES.get(command_word(line.strip(), _PAGES) or "")
        if page is not None:
            return self.open_page(page)
        try:
            return run_line(self.controls, line)
        except CommandError as error:
            return self.controls.say(str(error))

    def clicked(self, click: Click) -> None:
        """The mouse was clicked on something that means something."""
        controls = self.controls
        match click.what:
            case "card":
                controls.toggle(Slot(click.number))
            case "meld":
                controls.add(click.number)
            case "remedy":
                self.choose_absence_option(click.number)
            case "stock":
                controls.draw()
            case "key":
                self.press(click.key)
            case "pile" if controls.may(Step.DRAW):
                controls.take()
            case "pile":
                controls.discard()


_PAGES: Mapping[str, Page] = {
    "help": Page.KEYS,
    "sheet": Page.SHEET,
    "hands": Page.HANDS,
    "fair": Page.FAIRNESS,
    "away": Page.AWAY,
}
"""Words that open a page."""
