"""The lines of the turn and the notice, as styled text."""

from client.i18n.language import _
from client.ui.model.table_view import TableView
from client.ui.model.table_words import opening_reached, opening_selected, status_sentence
from client.ui.tui.toolkit.glyphs import Glyphs
from client.ui.tui.toolkit.spans import Line, Span, cut, folded, ruled


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
