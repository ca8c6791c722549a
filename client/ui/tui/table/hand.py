"""One's own hand as lines of styled text: overlapping cards; selected ones stick out."""

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
            rows = range(5 if tall else 3)
            standing = [_hand_row(view.hand, glyphs, cell, row, tall=tall) for row in rows]
            return [*standing, _markers(view.hand, glyphs, cell, flat=False)]
    per_row = (width - 1) // _NARROW_CELL
    lines = []
    for first in range(0, count, per_row):
        cards = view.hand[first : first + per_row]
        lines += [
            _faces(cards, glyphs, _NARROW_CELL),
            _markers(cards, glyphs, _NARROW_CELL, flat=True),
        ]
    return lines


_TOP, _FACE, _INSIDE, _BOTTOM = range(4)
"""The rows of a card, from its top; a card that is not tall has only the first three."""


def _hand_row(
    cards: tuple[HandCard, ...], glyphs: Glyphs, cell: int, row: int, *, tall: bool
) -> Line:
    """Return one row of the cards; each card covers the right edge of the card before it."""
    # The left and the right edge of each row of a card.
    left = (glyphs.corners[0], glyphs.down, glyphs.down, glyphs.corners[2])
    right = (glyphs.corners[1], glyphs.down, glyphs.down, glyphs.corners[3])
    inner = cell - 1
    spans: list[Span] = []
    before: int | None = None
    for held in cards:
        # A selected card begins in the first row, and others one row below.
        at = row - (0 if held.selected else 1)
        stripe = at if 0 <= at < (4 if tall else 3) else None
        # If the card before sticks out further, its right edge shows, and hides this card's corner.
        hidden = stripe is None or (stripe == _TOP and before == _FACE)
        edge = (" " if before is None else right[before]) if hidden else left[stripe or 0]
        click = None if stripe is None else Click("card", held.slot)
        spans.append(Span(edge, "class:frame", click))
        if stripe == _FACE:
            face = glyphs.fitting_face(held.card, inner).ljust(inner)
            spans.append(Span(face, card_style(held.card), click))
        else:
            line = glyphs.across if stripe in (_TOP, _BOTTOM) else " "
            spans.append(Span(line * inner, "class:frame", click))
        before = stripe
    return (*spans, Span(" " if before is None else right[before], "class:frame"))


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
