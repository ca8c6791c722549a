"""A review of a game as an HTML page in one file: the result, and the table at each mistake."""

from collections.abc import Iterator

from client.i18n.language import _
from client.reports.html.boxes_and_tables import scrolling
from client.reports.html.document import STYLE, document
from client.reports.html.markup import Html, join, tag
from client.reports.words import verdict
from client.ui.html.terminal_css import style_class, terminal_css
from client.ui.model.game_review import GameReview, mistake_sentences, mistake_title, summary
from client.ui.tui.replay.review_lines import table_drawn
from client.ui.tui.toolkit.glyphs import UNICODE
from client.ui.tui.toolkit.spans import Line

_COLUMNS = 80
_CSS = """
.drawn { background: var(--sheet); padding: .4rem .5rem; border: 1px solid var(--line);
  font: 16px/1.25 ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", "Liberation Mono", monospace; }
"""


def review_page(review: GameReview) -> Html:
    """Return the whole document."""
    styles: dict[str, int] = {}
    title = _("Review: the game of {name}").format(name=review.name)
    main = (
        tag("h1", title),
        *(tag("p", UNICODE.plain(text.strip())) for text in summary(review)),
        *_mistakes(review, styles),
        tag("p", UNICODE.plain(verdict(review.replay.report)), class_="verdict"),
    )
    foot = _("Made by sobremesa review. Nothing on this page was loaded from elsewhere.")
    style = "\n".join((STYLE, _CSS, terminal_css(list(styles))))
    return join(document(title, main, foot, style=style))


def _mistakes(review: GameReview, styles: dict[str, int]) -> Iterator[Html]:
    """Yield a section for each mistake; add the styles it uses to `styles`, with their numbers."""
    for place, mistake in enumerate(review.shown, start=1):
        drawn = table_drawn(review, mistake, UNICODE, _COLUMNS)
        rows = [child for line in drawn for child in (*_spans(line, styles), "\n")]
        yield tag(
            "section",
            tag("h2", UNICODE.plain(mistake_title(review, place, mistake))),
            [tag("p", UNICODE.plain(text)) for text in mistake_sentences(mistake)],
            scrolling(tag("pre", rows, class_="drawn"), _("The table")),
        )


def _spans(line: Line, styles: dict[str, int]) -> Iterator[Html]:
    for span in line:
        number = styles.setdefault(span.style, len(styles))
        yield tag("span", span.text, class_=style_class(number))
