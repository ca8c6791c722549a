"""The seats around the table, with the stock and the pile between them, as lines of styled text.

If there is little room, names are shortened, but numbers never are.
"""

from collections.abc import Iterable, Sequence

from prompt_toolkit.utils import get_cwidth

from client.i18n.language import _, _n, couple
from client.ui.model.table_view import SeatView, SideView, TableView
from client.ui.tui.table.stock_and_pile import ABOUT_PILE, beside_pile, pile_lines, stock_and_pile
from client.ui.tui.toolkit.glyphs import Glyphs, card_style
from client.ui.tui.toolkit.spans import Line, Span, cut, padded, shortened, width_of

_SHORTEST_NAME = 4


def name_columns(names: Iterable[str]) -> range:
    """Return the widths to try for names, in columns: from that of the longest name down to 4."""
    longest = max(map(get_cwidth, names), default=0)
    return range(max(longest, _SHORTEST_NAME), _SHORTEST_NAME - 1, -1)


def side_name(side: SideView, glyphs: Glyphs, columns: int) -> str:
    """Return the players on a side, each name in at most `columns` columns."""
    return couple([shortened(glyphs.plain(name), columns) for name in side.names])


def seats(view: TableView, glyphs: Glyphs, width: int) -> list[Line]:
    """Return the other players around the stock and the pile, which never change their place.

    The drawing has four lines, and one more about the pile if there is no room beside it.
    """
    far = list(view.others)
    near = [far.pop(0), far.pop()] if len(far) > 1 else []  # who sits to the left and the right
    # A fifth of the width for each neighbour: 16 of 80 columns leave 48 for the stock and the pile.
    flank = max(13, min(30, width // 5)) if near else 0
    room = width - 2 * flank
    rows = [padded(line, room) for line in stock_and_pile(view, glyphs, room)]
    if near:
        left, right = ([padded(line, flank) for line in _flank(seat, glyphs)] for seat in near)
        rows = [first + row + last for first, row, last in zip(left, rows, right, strict=True)]
    lines = [_far_side(far, glyphs, width), *rows]
    if view.pile is None or beside_pile(view, room) >= ABOUT_PILE:
        return lines
    below, count, state = pile_lines(view.pile, glyphs, width)
    dot: Line = (Span(f" {glyphs.dot} "),)
    parts = (part for part in (count, state, below) if part)
    return [*lines, padded(sum((dot + part for part in parts), ())[1:], width, centred=True)]


def own_seat(view: TableView, glyphs: Glyphs, width: int) -> list[Line]:
    """Return the line about the person's own place, above the hand."""
    if view.own is None:
        return []
    fresh = [held.card for held in view.hand if held.fresh]
    new: Line = ()
    if fresh:
        new = (Span(f" {glyphs.dot} " + _("new:"), "class:dim"),)
        new += tuple(Span(f" {glyphs.face(card)}", card_style(card)) for card in fresh)
    about = (Span(f" {glyphs.dot} {_about(view.own)}", "class:dim"), *new)
    return [cut((*_seat_name(view.own, glyphs, width // 2), *about), width)]


def _far_side(others: Sequence[SeatView], glyphs: Glyphs, width: int) -> Line:
    """Return the players across the table in one line.

    If there is little room, names are shortened. If that is not enough, "11 cards" becomes "11".
    If even that is not enough, the line is cut.
    """
    if not others:
        return (Span(""),)
    # The first way that fits: "Bruno · 11 cards", "Brun · 11 cards", ..., then "Bruno · 11", ...
    names = name_columns(glyphs.plain(seat.name) for seat in others)
    ways = [(columns, True) for columns in names] + [(columns, False) for columns in names]
    for columns, in_words in ways:
        players = [_far_seat(seat, glyphs, columns, in_words=in_words) for seat in others]
        if sum(map(width_of, players)) <= width:
            break
    share = width // len(players)
    if max(map(width_of, players)) <= share:
        widths = [share for _seat in players]
    else:
        # Equal shares would cut the longest name. So each player gets the width that they need, and
        # an equal part of the rest.
        more = max(0, width - sum(map(width_of, players))) // len(players)
        widths = [width_of(player) + more for player in players]
    lines = (
        padded(player, room, centred=True) for player, room in zip(players, widths, strict=True)
    )
    return cut(tuple(span for line in lines for span in line), width)


def _far_seat(seat: SeatView, glyphs: Glyphs, columns: int, *, in_words: bool) -> Line:
    """Return a player with their facts, the name in at most `columns` columns."""
    about = _about(seat) if in_words else ", ".join((f"{seat.cards}", *_roles(seat)))
    facts = Span(f" {glyphs.dot} {about}", "class:dim")
    return (*_seat_name(seat, glyphs, columns + 3), facts)


def _flank(seat: SeatView, glyphs: Glyphs) -> list[Line]:
    """Return a name, the number of cards, and other facts, a line each."""
    dim = "class:dim"
    return [
        _seat_name(seat, glyphs),
        (Span(f"   {_cards(seat)}", dim),),
        (Span(f"   {', '.join(_roles(seat))}", dim),),
    ]


def _seat_name(seat: SeatView, glyphs: Glyphs, columns: int = 0) -> Line:
    """Return a name with the mark of the turn, cut to `columns` columns unless that is 0."""
    style = "class:seat.turn" if seat.turn else "class:seat.partner" if seat.partner else ""
    name = glyphs.plain(seat.name)
    name = shortened(name, columns - 3) if columns else name
    return (Span(f" {glyphs.turn if seat.turn else ' '} "), Span(name, style))


def _about(seat: SeatView) -> str:
    return ", ".join((_cards(seat), *_roles(seat)))


def _cards(seat: SeatView) -> str:
    return _n("{n} card", "{n} cards", seat.cards)


def _roles(seat: SeatView) -> list[str]:
    roles = [_("deals")] if seat.dealer else []
    return [*roles, _("partner")] if seat.partner else roles
