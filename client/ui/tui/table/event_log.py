"""The log of events on the table's screen, as lines of styled text."""

from collections.abc import Sequence

from prompt_toolkit.utils import get_cwidth

from client.i18n.language import _
from client.session.display.snapshot import LogLine
from client.ui.model.table_view import TableView
from client.ui.tui.toolkit.glyphs import Glyphs
from client.ui.tui.toolkit.spans import Line, Span, cut, folded, padded, ruled

_NAME_SHARE = 5
"""Divisor of the log's width: names take at most a fifth of it."""


_SHORT_NAME = 8  # columns that names may take in any case


def log(view: TableView, glyphs: Glyphs, width: int, rows: int) -> list[Line]:
    """Return a line with the title, and the newest events; all of it fits in `rows` rows."""
    if rows < 2:
        return []
    title = ruled((Span(_("Log")),), glyphs.across, width)
    lines = log_lines(view.log[-rows:], glyphs, width - 1)
    return [title, *((Span(" "), *line) for line in lines[-(rows - 1) :])]


def log_lines(log: Sequence[LogLine], glyphs: Glyphs, width: int) -> list[Line]:
    """Return the events, with a line before each round.

    If a player has several events in a row, only the first has the name.
    """
    longest = max((get_cwidth(line.who) for line in log), default=0)
    column = min(longest, max(_SHORT_NAME, width // _NAME_SHARE)) + 1
    lines: list[Line] = []
    before = ""
    for event in log:
        text = glyphs.plain(event.text)
        if event.heading:
            lines.append(ruled((Span(text, "bold"),), glyphs.across, width))
        elif event.who:
            name = glyphs.plain(event.who) if event.who != before else ""
            first, *more = folded(text, max(10, width - column))
            blank = Span(" " * column)
            short = cut((Span(name, "class:side"),), column - 1)
            lines.append((*padded(short, column), *first))
            lines += [(blank, *line) for line in more]
        else:
            lines += folded(text, width, "class:dim")
        before = event.who
    return lines
