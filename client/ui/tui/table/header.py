"""The head of the table's screen: the game, the round and the score, as a line of styled text."""

from collections.abc import Sequence

from prompt_toolkit.utils import get_cwidth

from client.i18n.language import _, _n, number
from client.ui.model.table_view import SideView, TableView
from client.ui.tui.table.seats import name_columns, side_name
from client.ui.tui.toolkit.glyphs import Glyphs
from client.ui.tui.toolkit.spans import Line, Span, padded


def header(view: TableView, glyphs: Glyphs, width: int) -> list[Line]:
    """Return the game, the round and the score."""
    title = [view.game]
    if view.rounds and view.round_number:
        title.append(
            _("round {number} of {rounds}").format(number=view.round_number, rounds=view.rounds)
        )
    elif view.round_number:
        title.append(_("round {number}").format(number=view.round_number))
    if view.target:
        title.append(_("to {points}").format(points=number(view.target)))
    if view.spectators:
        title.append(_n("{n} watches", "{n} watch", view.spectators))
    left = glyphs.plain(" · ".join(title))
    right = _scores(view.sides, glyphs, width - 3 - get_cwidth(left))
    gap = max(1, width - 2 - get_cwidth(left) - get_cwidth(right))
    line = (
        Span(f" {left}", "class:header bold"),
        Span(" " * gap, "class:header"),
        Span(right, "class:header"),
        Span(" ", "class:header"),
    )
    return [padded(line, width)]


def _scores(sides: Sequence[SideView], glyphs: Glyphs, room: int) -> str:
    """Return the sides with their match points, one's own first.

    If there is little room, the names are shortened. If that is not enough, they are left out.
    """
    for columns in name_columns(name for side in sides for name in side.names):
        scores = (f"{side_name(side, glyphs, columns)} {number(side.total)}" for side in sides)
        text = f" {glyphs.dot} ".join(scores)
        if get_cwidth(text) <= room:
            return text
    return " : ".join(number(side.total) for side in sides)
