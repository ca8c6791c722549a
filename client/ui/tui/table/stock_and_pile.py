"""The stock and the pile in the middle of the table, as lines of styled text."""

from collections.abc import Sequence

from prompt_toolkit.utils import get_cwidth

from client.i18n.language import _, _n
from client.ui.model.table_view import PileView, TableView
from client.ui.model.table_words import pile_state
from client.ui.tui.toolkit.glyphs import Glyphs, card_style
from client.ui.tui.toolkit.spans import Click, Line, Span, cut, folded
from engine.position_facts import PileState


def stock_and_pile(view: TableView, glyphs: Glyphs, width: int) -> list[Line]:
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
    beside = beside_pile(view, width)
    about = pile_lines(view.pile, glyphs, beside) if beside >= ABOUT_PILE else [(), (), ()]
    return [
        (Span(word.rjust(label) + " "), *back, Span(" "), *front, Span(" "), *text)
        for word, back, front, text in zip(words, stock, pile, about, strict=True)
    ]


ABOUT_PILE = 12
"""The minimum number of free columns beside the pile for the facts about the pile."""


def beside_pile(view: TableView, width: int) -> int:
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


def pile_lines(pile: PileView, glyphs: Glyphs, width: int) -> list[Line]:
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
