"""The replay on the screen: the table at one moment, and keys to move about."""

from collections.abc import Callable

from attrs import define
from prompt_toolkit.application import Application
from prompt_toolkit.key_binding import KeyPressEvent
from prompt_toolkit.layout import Layout

from client.i18n.language import _
from client.reports.words import verdict
from client.ui.model.replay import Teller
from client.ui.tui.replay.cursor import MOVEMENTS, VIEW_KEYS, ReplayCursor
from client.ui.tui.replay.drawing import SeenTable, TableDrawing
from client.ui.tui.terminal.whole_screen import Press, key_bindings
from client.ui.tui.toolkit.glyphs import Glyphs
from client.ui.tui.toolkit.lines import LinesWindow
from client.ui.tui.toolkit.spans import Line, Span, cut, folded, padded
from client.ui.tui.toolkit.terminal_look import TerminalLook
from engine.sentences import N_

LOG = 8
"""Number of moments before the present one that the log shows."""

_HINTS = N_("left/right step, up/down turn, PgUp/PgDn round, Home End, Tab view, q leave")
WHERE = N_("Step {step} of {steps}, entry {entry}; {round}; view: {whose}")


@define
class ReplayScreen:
    """A screen that shows the table at a cursor; keys replace the cursor."""

    cursor: ReplayCursor
    look: TerminalLook

    def application(self) -> Application[None]:
        """Return the application, which runs until the person leaves."""
        moves = {" ".join(movement.keys): self._mover(movement.move) for movement in MOVEMENTS}
        views = {" ".join(VIEW_KEYS): self._mover(ReplayCursor.next_viewer)}
        keys = key_bindings({**moves, **views, "q escape c-c": lambda event: event.app.exit()})
        return self.look.application(Layout(LinesWindow(self._lines)), keys)

    def _lines(self, width: int, rows: int) -> list[Line]:
        return screen_lines(self.cursor, self.look.glyphs, width, rows)

    def _mover(self, move: Callable[[ReplayCursor], ReplayCursor]) -> Press:
        def handle(_event: KeyPressEvent) -> None:
            self.cursor = move(self.cursor)

        return handle


def screen_lines(cursor: ReplayCursor, glyphs: Glyphs, width: int, rows: int) -> list[Line]:
    """Return the whole screen: the place, the table, the hands, and the last events."""
    moment, viewer = cursor.moment, cursor.viewer
    last = len(cursor.replay.moments) - 1
    whose = _("all that was opened") if viewer is None else moment.after.charter.name_of(viewer)
    where = " " + _(WHERE).format(
        step=cursor.at + 1,
        steps=last + 1,
        entry=moment.number,
        round=cursor.replay.title(moment),
        whose=whose,
    )
    top = [padded((Span(glyphs.plain(where), "class:header"),), width)]
    table = TableDrawing(glyphs, width).lines(SeenTable.of(moment, viewer))
    teller = Teller(viewer, glyphs.symbols)
    past = cursor.replay.moments[max(0, cursor.at - LOG) : cursor.at + 1]
    past_lines: list[Line] = []
    for event in past:
        sentence = glyphs.plain(f"{teller.sentence(event)}.")
        style = "bold" if event is moment else "class:dim"
        past_lines += _entry(event.number, sentence, width, style)
    if cursor.at == last:
        words = glyphs.plain(verdict(cursor.replay.report))
        past_lines += [(Span(" "), *line) for line in folded(words, width - 1, "class:warn")]
    foot = [cut((Span(f" {glyphs.plain(_(_HINTS))}", "class:dim"),), width)]
    room = max(rows - len(top) - len(foot), 1)
    # If not everything fits, three lines of events stay, and the end of the table is cut off.
    table = table[: max(room - min(len(past_lines), 3), 0)]
    return [*top, *table, *past_lines[-max(room - len(table), 1) :], *foot]


def _entry(height: int, sentence: str, width: int, style: str) -> list[Line]:
    """Return the number of an entry, with its text beside it, in as many lines as needed."""
    number = f" {height:>5}  "
    first, *more = folded(sentence, width - len(number), style)
    blank = Span(" " * len(number))
    return [(Span(number, style), *first), *((blank, *line) for line in more)]
