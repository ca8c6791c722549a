"""The course of a match as two pictures with the same time below: entries, and points."""

from collections.abc import Iterator, Sequence

from attrs import frozen

from client.report.html.markup import Html, tag
from client.report.model import AuditReport, RoundReport, TableReport

_WIDE = 720.0
_NARROWEST_ROUND = 36.0
_MARGIN, _EDGE = 44.0, 8.0
_POINTS_TALL = 220.0
_BAND_TOP, _BAND_TALL = 34.0, 30.0

_PHASES = (("shuffle", ("shuffle",)), ("play", ("unlock", "move")), ("end", ("open", "close")))
"""The parts of a round in their order, and the entries that make them up."""


@frozen
class _Scale:
    """Where an entry is: `left[i]` is the left edge of round i, in units of the picture."""

    wide: float
    left: tuple[float, ...]
    right: tuple[float, ...]

    @classmethod
    def of(cls, rounds: Sequence[RoundReport]) -> "_Scale":
        sizes = [one.last - one.first + 1 for one in rounds]
        wide = max(_WIDE, _NARROWEST_ROUND * len(rounds) + _MARGIN + _EDGE)
        each = (wide - _MARGIN - _EDGE - _NARROWEST_ROUND * len(rounds) / 2) / max(sum(sizes), 1)
        left, right, at = [], [], _MARGIN
        for size in sizes:
            left.append(at)
            at += _NARROWEST_ROUND / 2 + each * size
            right.append(at)
        return cls(wide, tuple(left), tuple(right))

    def at(self, number: int, one: RoundReport, entry: int) -> float:
        """The middle of an entry of round `number`."""
        inside = (entry - one.first + 0.5) / (one.last - one.first + 1)
        return self.left[number] + inside * (self.right[number] - self.left[number])


def timeline(report: AuditReport, table: TableReport) -> Html:
    """Every round a band as wide as its entries, with marks for what is worth pointing at."""
    scale = _Scale.of(report.rounds)
    bands = [
        tag("g", _band(scale, number, one), _marks(scale, number, one, table.during(one)))
        for number, one in enumerate(report.rounds)
    ]
    end = report.conclusion
    if end.player is not None and report.rounds:
        told = tag("title", f"Entry {end.entry}: {report.name(end.player)} is exposed")
        x, y = scale.right[-1] - 2, _BAND_TOP + _BAND_TALL / 2
        cross = f"M{x - 7:.1f} {y - 7:.1f}l14 14m0 -14l-14 14"
        bands.append(tag("path", told, d=cross, class_="exposed"))
    return _picture(scale.wide, _BAND_TOP + _BAND_TALL + 22, "The match by entries", bands)


def score_curves(report: AuditReport, table: TableReport) -> Html | None:
    """Match points after each round, a curve a side; None before the first is counted."""
    counted = [(n, one) for n, one in enumerate(report.rounds) if one.sheet]
    if not counted:
        return None
    scale = _Scale.of(report.rounds)
    sides = [
        [0, *(one.sheet.totals[side] for _, one in counted if one.sheet)]
        for side in range(len(table.sides))
    ]
    xs = [scale.left[counted[0][0]], *(scale.right[number] for number, _ in counted)]
    target = dict(table.options).get("target") or None
    values = [points for side in sides for points in side]
    low, high = min(values), max(*values, 1)
    goal = target if target and high > target / 2 else None
    high = max(high, goal or 0)

    def y(points: float) -> float:
        return 12 + (_POINTS_TALL - 24) * (high - points) / (high - low)

    grid = [
        tag(
            "g",
            tag("line", x1=_MARGIN, x2=scale.wide, y1=y(step), y2=y(step)),
            tag("text", f"{step:,}", x=_MARGIN - 6, y=y(step) + 4, text_anchor="end"),
            class_="grid",
        )
        for step in _steps(low, high)
    ]
    if goal:
        grid.append(tag("line", x1=_MARGIN, x2=scale.wide, y1=y(goal), y2=y(goal), class_="target"))
    curves = [
        tag(
            "g",
            tag(
                "polyline",
                points=" ".join(f"{x:.1f},{y(v):.1f}" for x, v in zip(xs, side, strict=True)),
            ),
            [
                tag("circle", tag("title", f"{table.sides[n]}: {v:,}"), cx=x, cy=y(v), r=3.5)
                for x, v in zip(xs, side, strict=True)
            ],
            class_=f"curve p{table.first_of(n)}",
        )
        for n, side in enumerate(sides)
    ]
    return _picture(scale.wide, _POINTS_TALL, "Match points after each round", [*grid, *curves])


def side_legend(table: TableReport, totals: Sequence[int], winner: int | None) -> Html:
    """The sides with their colours and points."""
    return tag(
        "ul",
        [
            tag(
                "li",
                tag("span", name, class_=f"chip p{table.first_of(side)}"),
                tag("strong", f"{totals[side]:,}"),
                tag("span", "wins", class_="crown") if side == winner else None,
            )
            for side, name in enumerate(table.sides)
        ],
        class_="sides",
    )


def _band(scale: _Scale, number: int, one: RoundReport) -> Iterator[Html]:
    left, right = scale.left[number], scale.right[number] - 2
    total = max(sum(one.checked.entries.values()), 1)
    at = left
    for phase, kinds in _PHASES:
        count = sum(one.checked.entries.get(kind, 0) for kind in kinds)
        wide = (right - left) * count / total
        kind = f"{phase} void" if one.void else phase
        if count:
            told = tag("title", f"{one.title}: {count} entries of {' and '.join(kinds)}")
            yield tag("rect", told, x=at, y=_BAND_TOP, width=wide, height=_BAND_TALL, class_=kind)
        at += wide
    label = f"{one.number}" if one.number else "draw"
    middle, below = (left + right) / 2, _BAND_TOP + _BAND_TALL + 15
    yield tag("text", label, x=middle, y=below, text_anchor="middle", class_="label")


def _marks(scale: _Scale, number: int, one: RoundReport, table: TableReport) -> Iterator[Html]:
    for light in one.highlights:
        x = scale.at(number, one, light.entry)
        out = light.what == "goes out"
        name = table.players[light.player].name
        told = tag("title", f"Entry {light.entry}: {name} {light.what}")
        tip = _BAND_TOP - (20 if out else 10)
        yield tag(
            "g",
            tag("line", x1=x, x2=x, y1=tip, y2=_BAND_TOP + _BAND_TALL),
            tag("circle", told, cx=x, cy=tip, r=7 if out else 4.5),
            class_=f"mark p{light.player}",
        )


def _steps(low: int, high: int) -> range:
    """Round numbers for the grid, about five."""
    size = 1
    while (high - low) / size > 6:
        size = size * 5 // 2 if str(size)[0] == "2" else size * 2
    return range(-(-low // size) * size, high + 1, size)


def _picture(wide: float, tall: float, label: str, inner: Sequence[Html]) -> Html:
    picture = tag("svg", *inner, viewBox=f"0 0 {wide:.0f} {tall:.0f}", role="img", aria_label=label)
    return tag("div", picture, class_="scroll")
