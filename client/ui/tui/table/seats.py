"""The seats around the table, the stock and the pile, and the score, as lines of styled text.

If there is little room, names are shortened, but numbers never are.
"""

from collections.abc import Iterable, Sequence

from prompt_toolkit.utils import get_cwidth

from client.i18n.language import _, _n, couple, number
from client.ui.model.table_view import PileView, SeatView, SideView, TableView
from client.ui.model.table_words import pile_state
from client.ui.tui.toolkit.glyphs import Glyphs, card_style
from client.ui.tui.toolkit.spans import Click, Line, Span, cut, folded, padded, shortened, width_of
from engine.position_facts import PileState

_SHORTEST_NAME = 4


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


def name_columns(names: Iterable[str]) -> range:
    """Return the widths to try for names, in columns: from the longest name's down to four."""
    longest = max(map(get_cwidth, names), default=0)
    return range(max(longest, _SHORTEST_NAME), _SHORTEST_NAME - 1, -1)


def side_name(side: SideView, glyphs: Glyphs, columns: int) -> str:
    """Return the players on a side, each name in at most `columns` columns."""
    return couple([shortened(glyphs.plain(name), columns) for name in side.names])


# -- who sits around, and the middle of the table


def seats(view: TableView, glyphs: Glyphs, width: int) -> list[Line]:
    """Return the other players around the stock and the pile, which never change their place.

    The drawing has four lines, and one more about the pile if there is no room beside it.
    """
    far = list(view.others)
    near = [far.pop(0), far.pop()] if len(far) > 1 else []  # who sits to the left and the right
    # A fifth of the width for each neighbour: 16 of 80 columns leave 48 for the stock and the pile.
    flank = max(13, min(30, width // 5)) if near else 0
    room = width - 2 * flank
    rows = [padded(line, room) for line in _centre(view, glyphs, room)]
    if near:
        left, right = ([padded(line, flank) for line in _flank(seat, glyphs)] for seat in near)
        rows = [first + row + last for first, row, last in zip(left, rows, right, strict=True)]
    lines = [_far_side(far, glyphs, width), *rows]
    if view.pile is None or _beside_pile(view, room) >= _ABOUT_PILE:
        return lines
    below, count, state = _pile_lines(view.pile, glyphs, width)
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
    name = shortened(name, max(1, columns - 3)) if columns else name
    return (Span(f" {glyphs.turn if seat.turn else ' '} "), Span(name, style))


def _about(seat: SeatView) -> str:
    return ", ".join((_cards(seat), *_roles(seat)))


def _cards(seat: SeatView) -> str:
    return _n("{n} card", "{n} cards", seat.cards)


def _roles(seat: SeatView) -> list[str]:
    roles = [_("deals")] if seat.dealer else []
    return [*roles, _("partner")] if seat.partner else roles


def _centre(view: TableView, glyphs: Glyphs, width: int) -> list[Line]:
    """Return the stock and the pile as cards, and the facts about the pile."""
    if view.pile is None:
        return [(), (), ()]
    words = _stock_words(view)
    label = _label(words)
    stock = _box(f"{view.stock:>3}", "class:back", glyphs, Click("stock"))
    top = view.pile.top
    face = " -- " if top is None else f" {glyphs.face(top):<3}"
    style = "class:dim" if top is None else card_style(top)
    pile = _box(face, style, glyphs, Click("pile"))
    beside = _beside_pile(view, width)
    about = _pile_lines(view.pile, glyphs, beside) if beside >= _ABOUT_PILE else [(), (), ()]
    return [
        (Span(word.rjust(label) + " "), *back, Span(" "), *front, Span(" "), *text)
        for word, back, front, text in zip(words, stock, pile, about, strict=True)
    ]


_ABOUT_PILE = 12
"""The minimum number of free columns beside the pile for the facts about the pile."""


def _beside_pile(view: TableView, width: int) -> int:
    """Return the columns that the stock and the pile leave in the middle of the table."""
    return width - _label(_stock_words(view)) - 14  # two cards of 5 and 6 columns, and 3 blanks


def _label(words: Sequence[str]) -> int:
    """Return the number of columns for the words about the stock."""
    return max(7, *map(get_cwidth, words))


def _stock_words(view: TableView) -> list[str]:
    return ["", _("stock"), view.aside]


def _box(face: str, style: str, glyphs: Glyphs, click: Click) -> list[Line]:
    edge = glyphs.across * len(face)
    corners = glyphs.corners
    return [
        (Span(corners[0] + edge + corners[1], "class:frame", click),),
        (
            Span(glyphs.down, "class:frame", click),
            Span(face, style, click),
            Span(glyphs.down, "class:frame", click),
        ),
        (Span(corners[2] + edge + corners[3], "class:frame", click),),
    ]


def _pile_lines(pile: PileView, glyphs: Glyphs, width: int) -> list[Line]:
    """Return three lines: the visible cards below the top, the number of cards, and the state.

    If no cards are visible, a long state can take two of the lines.
    """
    if not pile.count:
        return [(), (Span(_("no pile"), "class:dim"),), ()]
    below: Line = tuple(
        Span(glyphs.face(card) + " ", card_style(card)) for card in reversed(pile.seen)
    )
    count = _n("pile of {n}", "pile of {n}", pile.count)
    state = pile_state(pile)
    style = "class:dim" if pile.state is PileState.FREE else "class:warn"
    if get_cwidth(state) > width and not below:
        return ([(Span(count),), *folded(state, width, style), ()])[:3]
    return [cut(below, width), (Span(count),), cut((Span(state, style),), width)]
