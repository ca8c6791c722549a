"""Melds and bonus cards of the sides, as lines of styled text.

With enough rows each meld has a line of its own. With fewer rows the melds stand in columns, and
with fewer still several share a line.
"""

from collections.abc import Callable
from functools import partial

from prompt_toolkit.utils import get_cwidth

from client.i18n.language import _, number
from client.ui.model.table_view import MeldView, SideView, TableView
from client.ui.model.table_words import mark_word, opening_wanted
from client.ui.tui.table.seats import name_columns, side_name
from client.ui.tui.toolkit.glyphs import Glyphs, card_style
from client.ui.tui.toolkit.spans import Click, Line, Span, padded, ruled, width_of, wrapped
from engine.position_facts import MeldClass

_GAUGE = 7
_MELD_COLUMNS = 44
"""Width of the cards of a meld, in terminal columns.

It is fixed, so that the figures after the cards are aligned.
"""
_ABOUT_MELD = 30  # width of the figures
_CELL = 26
"""The minimum width of a cell, if the melds stand side by side in a grid."""
_ABOUT_CELL = 14  # width of everything in a cell but the cards

_Way = Callable[[SideView, Glyphs, int], list[Line]]
"""Function that returns a side's melds as lines of a given width."""


def sides(view: TableView, glyphs: Glyphs, width: int, rows: int = 0) -> list[Line]:
    """Return each side's melds under its name, in the clearest way that needs at most `rows`."""
    # The ways to try, in this order: a line for each meld; a grid of two columns, of three, and so
    # on, while the cells are wide enough; several melds in a line.
    ways: list[_Way] = [_in_full]
    ways += [partial(_grid, columns=columns) for columns in range(2, width // _CELL + 1)]
    for way in (*ways, _crowded):
        lines = _drawn(view, glyphs, width, way)
        if len(lines) <= rows:
            break
    return lines


def least_rows(view: TableView, glyphs: Glyphs, width: int) -> tuple[int, int]:
    """Return the numbers of rows that the melds need: in a grid, and with several in a line."""
    grid = partial(_grid, columns=max(1, width // _CELL))
    return len(_drawn(view, glyphs, width, grid)), len(_drawn(view, glyphs, width, _crowded))


def _drawn(view: TableView, glyphs: Glyphs, width: int, way: _Way) -> list[Line]:
    none: Line = (Span(" " + _("no melds yet"), "class:dim"),)
    lines: list[Line] = []
    for side in view.sides:
        lines += [_side_title(side, glyphs, width), *(way(side, glyphs, width) or [none])]
    return lines


# -- a line for each meld


def _in_full(side: SideView, glyphs: Glyphs, width: int) -> list[Line]:
    return [_meld_in_full(meld, glyphs, width, numbered=side.mine) for meld in side.melds]


def _meld_in_full(meld: MeldView, glyphs: Glyphs, width: int, *, numbered: bool) -> Line:
    """Return a meld in a line of its own: number, cards, count and gauge, points, class."""
    click = _click(meld, numbered=numbered)
    style = _staged(meld)
    count = len(meld.cards)
    full = min(_GAUGE, _GAUGE * count // meld.wanted)
    gauge = glyphs.bar[0] * full + glyphs.bar[1] * (_GAUGE - full)
    figures: Line = (
        Span(f" {count:>2}/{meld.wanted:<2} {gauge} ", "class:dim", click),
        Span(f"{meld.points:>4} ", style, click),
        Span(
            f"{glyphs.marks[meld.mark.value] if meld.mark else ' '} {mark_word(meld)}",
            _mark_style(meld.mark) if meld.mark else "class:dim",
            click,
        ),
    )
    about = padded(figures, _ABOUT_MELD)
    name = f"{meld.number:>3} " if numbered else "    "
    room = width - _ABOUT_MELD - 1
    faces = _faces(meld, glyphs, room - len(name) - 1, click)
    cards = (Span(name, f"class:dim {style}", click), *faces, *_chosen(meld, glyphs, click))
    return (*padded(cards, min(room, _MELD_COLUMNS)), *about)


def _faces(meld: MeldView, glyphs: Glyphs, room: int, click: Click | None) -> Line:
    """Return the cards one by one, with gaps if there is room, or else the meld in brief."""
    style = _staged(meld)
    for gap, shown in ((" ", glyphs.face), ("", glyphs.short_face)):
        faces = tuple(
            Span(shown(card) + gap, f"{card_style(card)} {style}", click) for card in meld.cards
        )
        if width_of(faces) <= room:
            return faces
    return (Span(_brief(meld, glyphs), f"{card_style(meld.cards[0])} {style}", click),)


# -- columns


def _grid(side: SideView, glyphs: Glyphs, width: int, columns: int) -> list[Line]:
    """Return the melds in `columns` columns, row after row."""
    cell = width // columns
    cells = [padded(_cell(meld, glyphs, cell, numbered=side.mine), cell) for meld in side.melds]
    return [
        tuple(span for cell_line in cells[first : first + columns] for span in cell_line)
        for first in range(0, len(cells), columns)
    ]


def _cell(meld: MeldView, glyphs: Glyphs, width: int, *, numbered: bool) -> Line:
    """Return a meld in few columns: number, cards, count, points.

    A complete meld is shown in brief, without its cards (see `squared`).
    """
    click, style = _click(meld, numbered=numbered), _staged(meld)
    name = Span(f"{meld.number:>2} " if numbered else "   ", f"class:dim {style}", click)
    if meld.mark is not None:
        look = f"{_mark_style(meld.mark)} {style}"
        cards: Line = (Span(f"[{squared(meld, glyphs)}]", look, click),)
        return (name, *cards, *_chosen(meld, glyphs, click), Span(f" {meld.points}", style, click))
    cards = (*_faces(meld, glyphs, width - _ABOUT_CELL, click), *_chosen(meld, glyphs, click))
    count = Span(f"{len(meld.cards):>2}/{meld.wanted}", "class:dim", click)
    points = Span(f"{meld.points:>4} ", style, click)
    return (name, *padded(cards, width - _ABOUT_CELL + 1), count, points)


# -- several in a line


def _crowded(side: SideView, glyphs: Glyphs, width: int) -> list[Line]:
    for gap in (" ", ""):
        melds = [_meld(meld, glyphs, gap, numbered=side.mine) for meld in side.melds]
        if sum(width_of(meld) + 2 for meld in melds) <= width:
            break
    return wrapped(melds, width, indent=" ")


def _meld(meld: MeldView, glyphs: Glyphs, gap: str, *, numbered: bool) -> Line:
    click, style = _click(meld, numbered=numbered), _staged(meld)
    name: Line = (Span(f"{meld.number}:", f"class:dim {style}", click),) if numbered else ()
    if meld.mark is None:
        last = len(meld.cards) - 1
        faces = tuple(
            Span(glyphs.face(card) + gap * (place < last), f"{card_style(card)} {style}", click)
            for place, card in enumerate(meld.cards)
        )
    else:
        faces = (Span(f"[{squared(meld, glyphs)}]", f"{_mark_style(meld.mark)} {style}", click),)
    return (*name, *faces, *_chosen(meld, glyphs, click), Span(gap))


# -- pieces


def squared(meld: MeldView, glyphs: Glyphs) -> str:
    """Return a complete meld in brief, as if squared up: its rank, number of cards, and mark."""
    assert meld.mark is not None
    return f"{_brief(meld, glyphs)} {glyphs.marks[meld.mark.value]} {mark_word(meld)}"


def _brief(meld: MeldView, glyphs: Glyphs) -> str:
    """Return the rank of a meld, or the ends of a sequence, and the number of its cards."""
    if meld.rank is not None:
        what = meld.rank.code.replace("T", "10")
    else:
        what = f"{glyphs.face(meld.cards[0])}-{glyphs.face(meld.cards[-1])} "
    return f"{what}{glyphs.times}{len(meld.cards)}"


def _click(meld: MeldView, *, numbered: bool) -> Click | None:
    return Click("meld", meld.number) if numbered else None


def _staged(meld: MeldView) -> str:
    return "class:staged" if meld.staged else ""


def _chosen(meld: MeldView, glyphs: Glyphs, click: Click | None) -> Line:
    """Return the mark of cards that are laid out and not sent."""
    return (Span(glyphs.chosen, "class:warn", click),) if meld.staged else ()


def _mark_style(mark: MeldClass) -> str:
    return f"class:mark.{mark.value}"


def _side_title(side: SideView, glyphs: Glyphs, width: int) -> Line:
    """Return a side's players, score, opening and bonus cards; names are cut if need be."""
    about: Line = (Span(f" {glyphs.dot} {number(side.total)}"),)
    if side.opening is not None:
        about += (Span(f" {glyphs.dot} {opening_wanted(side.opening)}", "class:dim"),)
    if side.bonus:
        about += (Span(f" {glyphs.dot}"),)
        about += tuple(Span(f" {glyphs.face(card)}", card_style(card)) for card in side.bonus)
    room = width - len("── ") - width_of(about)
    style = "class:side.mine" if side.mine else "class:side"
    return ruled((Span(_fitted(side, glyphs, room), style), *about), glyphs.across, width)


def _fitted(side: SideView, glyphs: Glyphs, room: int) -> str:
    """Return the name of a side in at most `room` columns, its longest names cut first."""
    for columns in name_columns(side.names):
        name = side_name(side, glyphs, columns)
        if get_cwidth(name) <= room:
            break
    return name
