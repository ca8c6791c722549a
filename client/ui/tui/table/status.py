"""The lines of the turn, the notice and the log, as styled text."""

from collections.abc import Sequence

from prompt_toolkit.utils import get_cwidth

from client.i18n.language import _
from client.session.display.snapshot import LogLine
from client.ui.model.table_view import TableView
from client.ui.model.table_words import opening_reached, opening_selected, status_sentence
from client.ui.tui.toolkit.glyphs import Glyphs, card_style
from client.ui.tui.toolkit.spans import Line, Span, cut, folded, padded, ruled
from engine.cards import Card

_NAME_SHARE = 5
"""Divisor of the log's width: names take at most a fifth of it."""
_SHORT_NAME = 8  # columns that names may take in any case


def status(view: TableView, glyphs: Glyphs, width: int) -> list[Line]:
    """Return the lines about the turn, about an awaited player, and the notice."""
    lines = [*_lesson(view, glyphs, width), _now(view, glyphs)]
    lines += folded(glyphs.plain(view.awaited), width - 1, "class:warn")[:3] if view.awaited else []
    if view.notice is not None:
        clause = f" [{view.notice.clause}]" if view.notice.clause else ""
        text = glyphs.plain(view.notice.text + clause)
        lines += folded(text, width - 1, "class:warn" if clause else "class:notice")[:3]
    lines += [()] * (2 - len(lines))
    return [(Span(" "), *cut(line, width - 1)) for line in lines]


def _lesson(view: TableView, glyphs: Glyphs, width: int) -> list[Line]:
    """Return the step of a lesson below a line with the step's title; [] without a lesson."""
    lesson = view.lesson
    if lesson is None:
        return []
    lines = [ruled((Span(lesson.title, "bold"),), glyphs.across, width - 1)]
    lines += folded(glyphs.plain(lesson.idea), width - 1, "class:notice")
    return [*lines, *folded(glyphs.plain(lesson.keys), width - 1, "class:mine")]


def _now(view: TableView, glyphs: Glyphs) -> Line:
    if view.staging:
        return (Span(_laid_out(view), "class:mine"),)
    if view.doing is not None:
        bar = _bar(view.doing.done, view.doing.total, glyphs)
        return (Span(glyphs.plain(view.doing.text) + "  "), Span(bar, "class:bar"))
    if view.reach is not None:
        return (Span(opening_selected(view.reach), "class:mine"),)
    text = status_sentence(view)
    mark = f"{glyphs.turn} " if view.my_move else ""
    return (Span(mark + glyphs.plain(text), "class:mine" if view.my_move else ""),)


def _laid_out(view: TableView) -> str:
    """Return a sentence on what is laid out, and on what Enter does with it."""
    if view.staged is None and view.sendable:
        return _("Laid out, not sent: Enter sends it.")
    if view.staged is None:
        return _("Laid out, but cannot be sent: Enter says why.")
    template = _("Laid out: {reached}. Cannot be sent: Enter says why.")
    if view.sendable:
        template = _("Laid out: {reached}. Enter sends it.")
    return template.format(reached=opening_reached(view.staged))


def _bar(done: int, total: int, glyphs: Glyphs) -> str:
    if not total:
        return ""
    full, empty = glyphs.bar[0], glyphs.bar[1]
    return full * (3 * done) + empty * (3 * (total - done)) + f" {done}/{total}"


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


def card_words(cards: Sequence[Card], glyphs: Glyphs) -> Line:
    """Return the cards, separated by spaces."""
    return tuple(Span(glyphs.face(card) + " ", card_style(card)) for card in cards)
