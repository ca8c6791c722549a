"""One's own hand as lines of styled text: overlapping cards; selected ones stick out."""

from enum import Enum

from client.ui.model.table_view import HandCard, TableView
from client.ui.tui.toolkit.glyphs import Glyphs, card_style
from client.ui.tui.toolkit.spans import Click, Line, Span

_CELL = 4  # columns of a card in hand
_NARROW_CELL = 3  # columns of a card if the hand would not fit otherwise


def hand(view: TableView, glyphs: Glyphs, width: int, *, tall: bool = False) -> list[Line]:
    """Return the cards in hand: selected ones stick out, marks below show cursor and new cards.

    `tall` shows whole cards, for a screen with enough rows.
    """
    count = len(view.hand)
    for cell in (_CELL, _NARROW_CELL):
        if count * cell + 1 <= width:
            return _standing(view.hand, glyphs, cell, tall=tall)
    per_row = (width - 1) // _NARROW_CELL
    lines = []
    for first in range(0, count, per_row):
        cards = view.hand[first : first + per_row]
        lines += [
            _faces(cards, glyphs, _NARROW_CELL),
            _markers(cards, glyphs, _NARROW_CELL, flat=True),
        ]
    return lines


def _standing(cards: tuple[HandCard, ...], glyphs: Glyphs, cell: int, *, tall: bool) -> list[Line]:
    rows = [_hand_row(cards, glyphs, cell, row, tall=tall) for row in range(5 if tall else 3)]
    return [*rows, _markers(cards, glyphs, cell, flat=False)]


def _hand_row(
    cards: tuple[HandCard, ...], glyphs: Glyphs, cell: int, row: int, *, tall: bool
) -> Line:
    """Return one row of the cards; each shows its left edge, over which the next one lies."""
    spans: list[Span] = []
    before = _Stripe.NONE
    for held in cards:
        # A selected card begins in the first row, and others one row below.
        stripe = _Stripe.of(row - (0 if held.selected else 1), tall=tall)
        click = Click("card", held.slot)
        edge = _left_edge(stripe, before, glyphs)
        spans.append(Span(edge, "class:frame", click if stripe is not _Stripe.NONE else None))
        if stripe is _Stripe.FACE:
            shown = glyphs.fitting_face(held.card, cell - 1)
            spans.append(Span(shown.ljust(cell - 1), card_style(held.card), click))
        elif stripe in (_Stripe.TOP, _Stripe.BOTTOM):
            spans.append(Span(glyphs.across * (cell - 1), "class:frame", click))
        else:
            within = click if stripe is _Stripe.INSIDE else None
            spans.append(Span(" " * (cell - 1), "class:frame", within))
        before = stripe
    return (*spans, Span(_right_edge(before, glyphs), "class:frame"))


class _Stripe(Enum):
    """Rows of a card."""

    NONE = ""
    TOP = "top"
    FACE = "face"
    INSIDE = "inside"
    BOTTOM = "bottom"

    @classmethod
    def of(cls, row: int, *, tall: bool) -> "_Stripe":
        """Return the row of a card, counted from its top.

        A card that is not tall has no lower end.
        """
        if tall:
            order = {0: cls.TOP, 1: cls.FACE, 2: cls.INSIDE, 3: cls.BOTTOM}
        else:
            order = {0: cls.TOP, 1: cls.FACE, 2: cls.INSIDE}
        return order.get(row, cls.NONE)


def _left_edge(stripe: _Stripe, before: _Stripe, glyphs: Glyphs) -> str:
    """Return the edge between two cards; the first of them may stick out."""
    if stripe is _Stripe.NONE or (stripe is _Stripe.TOP and before is _Stripe.FACE):
        return _right_edge(before, glyphs)
    corners = {_Stripe.TOP: glyphs.corners[0], _Stripe.BOTTOM: glyphs.corners[2]}
    return corners.get(stripe, glyphs.down)


def _right_edge(stripe: _Stripe, glyphs: Glyphs) -> str:
    if stripe is _Stripe.NONE:
        return " "
    corners = {_Stripe.TOP: glyphs.corners[1], _Stripe.BOTTOM: glyphs.corners[3]}
    return corners.get(stripe, glyphs.down)


def _faces(cards: tuple[HandCard, ...], glyphs: Glyphs, cell: int) -> Line:
    line: Line = ()
    for held in cards:
        click = Click("card", held.slot)
        style = card_style(held.card) + (" class:selected" if held.selected else "")
        line += (
            Span(glyphs.down, "class:frame", click),
            Span(glyphs.fitting_face(held.card, cell - 1).ljust(cell - 1), style, click),
        )
    return (*line, Span(glyphs.down, "class:frame"))


def _markers(cards: tuple[HandCard, ...], glyphs: Glyphs, cell: int, *, flat: bool) -> Line:
    spans = []
    for held in cards:
        gold = held.card.gold and cell == _NARROW_CELL  # the face has no room for the star
        marks = glyphs.gold if gold else " "
        marks += glyphs.cursor if held.cursor else " "
        marks += glyphs.chosen if flat and held.selected else glyphs.fresh if held.fresh else " "
        spans.append(Span(marks.ljust(cell), "class:cursor"))
    return tuple(spans)
