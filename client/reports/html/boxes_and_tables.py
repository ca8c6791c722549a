"""HTML elements from which the sections of a page are made: boxes, tables, lists, pictures."""

from collections.abc import Iterable, Sequence

from client.reports.html.markup import Child, Html, join, tag


def fold(title: Child, *inner: Child) -> Html:
    """Return a box that shows only its title until the reader unfolds it."""
    return tag("details", tag("summary", title), *inner, class_="fold")


def held(title: Child) -> Html:
    """Return the title of a check that holds."""
    return join([tag("span", "✓", class_="good"), " ", title])


def data_table(heads: Sequence[Child], rows: Iterable[Html], label: str) -> Html:
    """Return a table with column heads, in a box that can also be scrolled with the keyboard."""
    head = tag("tr", [tag("th", what, scope="col") for what in heads])
    table = tag("table", tag("thead", head), tag("tbody", rows))
    return scrolling(table, label)


def row(head: Child, cells: Iterable[Child], class_: str | None = None) -> Html:
    """Return a row of a table; `head` names it."""
    return tag(
        "tr", tag("th", head, scope="row"), [tag("td", cell) for cell in cells], class_=class_
    )


def bullets(items: Iterable[Child], class_: str | None = None) -> Html:
    """Return a list with these items."""
    return tag("ul", [tag("li", item) for item in items], class_=class_)


def picture(width: float, height: float, label: str, *inner: Child, links: bool = False) -> Html:
    """Return a picture of that size.

    With `links`, its role is a group and not an image: screen readers skip links inside an image.
    """
    return tag(
        "svg",
        *inner,
        viewBox=f"0 0 {width:.0f} {height:.0f}",
        role="group" if links else "img",
        aria_label=label,
    )


def scrolling(inner: Html, label: str) -> Html:
    """Return a box for content that may be wider than the screen."""
    return tag("div", inner, class_="scroll", tabindex=0, role="region", aria_label=label)
