"""A review of a game as lines: the result, and each mistake with the table at that moment."""

from collections.abc import Iterator

from client.ui.model.game_review import (
    GameReview,
    Mistake,
    mistake_sentences,
    mistake_title,
    summary,
)
from client.ui.tui.replay.drawing import SeenTable, TableDrawing
from client.ui.tui.table.table_sentences import hand_line, table_lines
from client.ui.tui.toolkit.glyphs import Glyphs
from client.ui.tui.toolkit.spans import Line, folded

_MELD_ROWS = 6


def review_lines(review: GameReview, glyphs: Glyphs, width: int) -> list[Line]:
    """Return the whole review in lines of at most `width` columns, with the tables drawn."""
    lines: list[Line] = []
    for text in summary(review):
        lines += [*folded(glyphs.plain(text), width), ()]
    for place, mistake in enumerate(review.shown, start=1):
        title = mistake_title(review, place, mistake)
        lines += folded(glyphs.plain(title), width, "class:mine")
        for text in mistake_sentences(mistake):
            lines += folded(glyphs.plain(text), width)
        lines += [(), *table_drawn(review, mistake, glyphs, width), ()]
    return lines


def table_drawn(review: GameReview, mistake: Mistake, glyphs: Glyphs, width: int) -> list[Line]:
    """Return the table as the player saw it before the mistake."""
    drawing = TableDrawing(glyphs, width, _MELD_ROWS)
    return drawing.lines(SeenTable.of(review.before(mistake), review.player))


def review_sentences(review: GameReview, glyphs: Glyphs) -> Iterator[str]:
    """Return the whole review in sentences, a line each, for screen readers."""
    yield from summary(review)
    for place, mistake in enumerate(review.shown, start=1):
        yield mistake_title(review, place, mistake) + "."
        view = SeenTable.of(review.before(mistake), review.player).table
        yield from table_lines(view, glyphs)
        yield hand_line(view, glyphs)
        yield from mistake_sentences(mistake)
