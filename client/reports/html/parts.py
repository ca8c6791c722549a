"""Building blocks of the page."""

from collections.abc import Iterable, Sequence

from client.reports.html.markup import Child, Html, join, tag


def fold(title: Child, *inner: Child) -> Html:
    """Return a box to unfold."""
    return tag("details", tag("summary", title), *inner, class_="fold")


def held(title: Child) -> Html:
    """Return the title of a check that holds."""
    return join([tag("span", "✓", class_="good"), " ", title])


def data_table(heads: Sequence[Child], rows: Iterable[Html], label: str) -> Html:
    """Return a table with column heads, in a box that scrolls, with the keyboard too."""
    head = tag("tr", [tag("th", what, scope="col") for what in heads])
    table = tag("table", tag("thead", head), tag("tbody", rows))
    return scrolling(table, label)


def scrolling(inner: Html, label: str) -> Html:
    """Return a box for content that may be wider than the screen."""
    return tag("div", inner, class_="scroll", tabindex=0, role="region", aria_label=label)
