"""The parts of a lobby as lines of styled text, each a function of the view and a width."""

from client.i18n.language import _, _n
from client.ui.model.lobby_view import LobbyView, SitterView
from client.ui.tui.toolkit.glyphs import Glyphs
from client.ui.tui.toolkit.spans import Line, Span, cut, folded, padded, ruled, width_of

_NAME_COLUMNS = 22  # a name takes at most 20 columns
_STATE_COLUMNS = 14
_MARGIN = "  "
_KNOCKS = 6  # the maximum number of knocking players that are shown


def header(view: LobbyView, glyphs: Glyphs, width: int) -> list[Line]:
    """Return the table's name and its game, and the seats."""
    text = f" {glyphs.dot} ".join(filter(None, (glyphs.plain(view.title), view.game)))
    left = text or _("Lobby")
    right = _("{there} of {seats} seats taken").format(there=len(view.sitters), seats=view.seats)
    line: Line = (
        Span(f" {left}", "class:header bold"),
        Span(" " * max(1, width - len(right) - width_of((Span(left),)) - 2), "class:header"),
        Span(f"{right if view.seats else ''} ", "class:header"),
    )
    return [padded(cut(line, width), width)]


def body(view: LobbyView, glyphs: Glyphs, width: int, rows: int) -> list[Line]:
    """Return all parts one under the other; the news gets the rows that are left."""
    parts = (
        (_("At the table"), people(view, glyphs, width)),
        (_("At the door"), knocking(view, glyphs, width)),
        (_("Rules of this table"), rules(view, glyphs, width)),
        (_("Others can join with"), joining(view, glyphs, width)),
    )
    lines = header(view, glyphs, width)
    for title, part in parts:
        lines += [(), ruled((Span(title),), glyphs.across, width), *part] if part else []
    return [*lines, (), *news(view, glyphs, width, rows - len(lines) - 1)]


def people(view: LobbyView, glyphs: Glyphs, width: int) -> list[Line]:
    """Return the people who are there, with the words of their keys, and the free seats."""
    lines: list[Line] = []
    one_line_each = all(width_of(_in_one_line(s, glyphs)) <= width for s in view.sitters)
    for sitter in view.sitters:
        if one_line_each:
            lines.append(_in_one_line(sitter, glyphs))
        else:
            first = (*_name_and_state(sitter, glyphs), *_about(sitter))
            lines += [cut(first, width), cut((Span(_MARGIN * 3), Span(sitter.words)), width)]
    for _seat in range(view.free):
        lines.append((Span(f"{_MARGIN}{glyphs.dot} "), Span(_("a free seat"), "class:dim")))
    return [*lines, *_indented(view.couples, glyphs, width, "class:dim")] if view.couples else lines


def _in_one_line(sitter: SitterView, glyphs: Glyphs) -> Line:
    return (*_name_and_state(sitter, glyphs), Span(sitter.words), *_about(sitter))


def _name_and_state(sitter: SitterView, glyphs: Glyphs) -> Line:
    mark = glyphs.turn if sitter.ready else glyphs.dot
    if sitter.seat:
        mark = f"{sitter.seat}"
    name = Span(glyphs.plain(sitter.name), "class:mine" if sitter.mine else "")
    style = "class:notice" if sitter.ready else "class:dim"
    state = Span(_("ready") if sitter.ready else _("not ready"), style)
    return (
        Span(f"{_MARGIN}{mark} "),
        *padded((name,), _NAME_COLUMNS),
        *padded((state,), _STATE_COLUMNS),
    )


def _about(sitter: SitterView) -> Line:
    return (Span(f"  {sitter.about}", "class:dim"),) if sitter.about else ()


def knocking(view: LobbyView, glyphs: Glyphs, width: int) -> list[Line]:
    """Return the players who knock; if there are more than six, those around the marked one."""
    marked = next((place for place, knock in enumerate(view.knocking) if knock.marked), 0)
    first = max(0, min(marked - 1, len(view.knocking) - _KNOCKS))
    shown = view.knocking[first : first + _KNOCKS]
    lines: list[Line] = []
    for knock in shown:
        mark = f"{glyphs.cursor} " if knock.marked and len(view.knocking) > 1 else ""
        lines += _indented(mark + knock.sentence, glyphs, width, "class:notice")
    if others := len(view.knocking) - len(shown):
        text = _n("{n} more player knocks.", "{n} more players knock.", others)
        lines += _indented(text, glyphs, width, "class:notice")
    return lines


def rules(view: LobbyView, glyphs: Glyphs, width: int) -> list[Line]:
    """Return the rules of this table that differ from the defaults."""
    return [line for rule in view.rules for line in _indented(rule, glyphs, width)]


def joining(view: LobbyView, glyphs: Glyphs, width: int) -> list[Line]:
    """Return the commands that others type to sit down."""
    return [cut((Span(_MARGIN + glyphs.plain(line)),), width) for line in view.joining]


def news(view: LobbyView, glyphs: Glyphs, width: int, rows: int) -> list[Line]:
    """Return the newest events that fit in `rows` rows."""
    lines = [
        line for text in view.news.lines for line in _indented(text, glyphs, width, "class:warn")
    ]
    return lines[-rows:] if rows > 0 else []


def status(view: LobbyView, glyphs: Glyphs, width: int) -> list[Line]:
    """Return what the lobby waits for."""
    style = "class:mine" if not view.ready and view.seats and not view.free else "class:notice"
    lines = folded(glyphs.plain(view.waits_for), width - 1, style)[:2]
    return [(Span(" "), *line) for line in lines]


def _indented(text: str, glyphs: Glyphs, width: int, style: str = "") -> list[Line]:
    lines = folded(glyphs.plain(text), width - len(_MARGIN), style)
    return [(Span(_MARGIN), *line) for line in lines]
