"""Match points as curves, one for each side.

Each curve has marks of its own shape, for readers who do not see colours.
"""

from collections.abc import Callable, Sequence

from attrs import frozen

from client.i18n.language import _, number
from client.reports.html.boxes_and_tables import bullets, data_table, fold, picture, row, scrolling
from client.reports.html.markup import Html, tag
from client.reports.html.round_columns import MARGIN, Scale
from client.reports.model import AuditReport, TableReport
from client.reports.words import round_title

_HEIGHT, _ABOVE, _BELOW = 240.0, 14.0, 12.0

_SHAPES = (
    "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z",
    "M-3.8 -3.8h7.6v7.6h-7.6z",
    "M0 -5.4l5.4 5.4l-5.4 5.4l-5.4 -5.4z",
    "M0 -5l5 8.6h-10z",
    "M0 5l5 -8.6h-10z",
    "M-5 0h10M0 -5v10",
)


def score_curves(report: AuditReport, table: TableReport, scale: Scale) -> Html | None:
    """Return the points after each round as curves and a table; None if no round was counted."""
    counted = [
        (column, round_title(one), one.sheet.totals)
        for column, one in zip(scale.columns, report.rounds, strict=True)
        if one.sheet
    ]
    if not counted:
        return None
    # Each curve begins at 0 points, at the left edge of the first counted round.
    xs = [counted[0][0].left, *(column.right for column, _title, _totals in counted)]
    sides = [
        [0, *(totals[side] for _column, _title, totals in counted)]
        for side in range(len(table.sides))
    ]
    target = dict(table.options).get("target") or 0
    # A line for a target of 5000 would flatten curves that end at 700.
    goal = target if max(points for side in sides for points in side) > target / 2 else 0
    curves = [
        Curve([*zip(xs, side, strict=True)], table.sides[place], place, table.first_of(place))
        for place, side in enumerate(sides)
    ]
    title = _("Match points after each round")
    drawn = points_chart(scale.width, _HEIGHT, title, curves, goal)
    rows = [row(text, map(number, totals)) for _column, text, totals in counted]
    figures = fold(title, data_table(("", *table.sides), rows, title))
    return tag("div", scrolling(drawn, title), figures)


def side_legend(table: TableReport, totals: Sequence[int], winner: int | None) -> Html:
    """Return the sides with their colours, shapes and points."""
    items = (
        (
            _sample(side, table.first_of(side)),
            tag("span", name),
            tag("strong", number(totals[side])),
            tag("span", _("wins"), class_="crown") if side == winner else None,
        )
        for side, name in enumerate(table.sides)
    )
    return bullets(items, "sides")


def _sample(side: int, player: int) -> Html:
    point = tag("path", d=_SHAPES[side % len(_SHAPES)])
    line = tag("polyline", points="-14,0 14,0")
    return tag(
        "svg",
        line,
        point,
        viewBox="-14 -7 28 14",
        class_=f"curve sample p{player}",
        aria_hidden="true",
    )


@frozen
class Curve:
    """A curve through points (x, value); `colour` is the number of a player."""

    points: Sequence[tuple[float, int]]
    name: str
    shape: int
    """The number of the shape of the curve's marks."""
    colour: int


def points_chart(
    width: float, height: float, title: str, curves: Sequence[Curve], goal: int = 0
) -> Html:
    """Return the curves on a grid, with a line at the `goal` unless it is 0."""
    values = [value for curve in curves for _x, value in curve.points]
    low, high = min(values), max(*values, goal, 1)

    def y(value: float) -> float:
        # In SVG y grows downwards.
        return _ABOVE + (height - _ABOVE - _BELOW) * (high - value) / (high - low)

    inner = []
    for step in chart_steps(low, high):
        line = tag("line", x1=MARGIN, x2=width, y1=y(step), y2=y(step))
        label = _label(MARGIN - 8, y(step) + 4, number(step), "end")
        inner.append(tag("g", line, label, class_="grid"))
    if goal:
        inner.append(tag("line", x1=MARGIN, x2=width, y1=y(goal), y2=y(goal), class_="target"))
        inner.append(_label(MARGIN + 4, y(goal) - 4, _("target"), "start"))
    return picture(width, height, title, inner, (_drawn(curve, y) for curve in curves))


def _drawn(curve: Curve, y: Callable[[float], float]) -> Html:
    """Return a line through the points, each with a mark of the curve's shape and its value."""
    marks = [
        tag(
            "path",
            tag("title", f"{curve.name}: {number(value)}"),
            d=_SHAPES[curve.shape % len(_SHAPES)],
            transform=f"translate({x:.1f} {y(value):.1f})",
        )
        for x, value in curve.points
    ]
    line = tag("polyline", points=" ".join(f"{x:.1f},{y(v):.1f}" for x, v in curve.points))
    return tag("g", line, marks, class_=f"curve p{curve.colour}")


def _label(x: float, y: float, text: str, anchor: str) -> Html:
    return tag("text", text, x=x, y=y, text_anchor=anchor)


def chart_steps(low: int, high: int) -> range:
    """Return about five simple numbers from `low` to `high`, for the lines of a grid."""
    # The sizes are 1, 2, 5, 10, 20, 50 and so on. From 0 to 700 the size is 200: 0, 200, 400, 600.
    size = 1
    while (high - low) / size > 6:
        size = size * 5 // 2 if str(size)[0] == "2" else size * 2
    return range(-(-low // size) * size, high + 1, size)
