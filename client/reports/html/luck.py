"""The statistics of luck: curves and bars beside the expected values, and a table of the tests."""

from collections.abc import Sequence

from client.i18n.language import _, _n, decimal, number
from client.reports.html.boxes_and_tables import data_table, fold, picture
from client.reports.html.curves import chart_steps
from client.reports.html.markup import Html, tag
from client.reports.luck.report import Curve, CurvePoint, LuckReport, Share
from engine.games import game_named

_BAR, _HEIGHT = 22.0, 90.0
_CURVE_WIDTH, _CURVE_LEFT = 320.0, 30.0
_BAND = 1.96
"""Half the width of the band, in standard deviations: 19 of 20 normal values lie within it."""


def luck_section(luck: LuckReport) -> Html:
    """Return the section for a `LuckReport`."""
    return tag(
        "section",
        tag("h2", _("Luck")),
        tag("p", tag("strong", luck.verdict)),
        tag("p", _("Over {extent}.").format(extent=luck.extent), " ", _(luck.sentence)),
        tag(
            "p",
            _(
                "A curve shows the cards in the order in which they came. The dashed line "
                "is what chance gives on average, and the band holds 19 of 20 curves at "
                "each place. A bar shows how many cards of one rank came, and the line "
                "across it shows what chance gives on average."
            ),
            class_="caption",
        ),
        [_player(luck, place) for place in range(len(luck.players))],
        fold(_("All tests"), _tests(luck)),
        class_="luck",
    )


def _player(luck: LuckReport, place: int) -> Html:
    player = luck.players[place]
    return tag(
        "figure",
        tag("figcaption", player.name, " ", tag("small", " ".join(player.words))),
        [_curve(curve) for curve in luck.curves if curve.player == place],
        [_bars(share) for share in luck.shares if share.player == place],
    )


def _curve(curve: Curve) -> Html:
    """Return the curve of the cards that came, the expected curve, and the band around it."""
    last = curve.points[-1]
    band = [
        (point.expected - _BAND * point.deviation, point.expected + _BAND * point.deviation)
        for point in curve.points
    ]
    highest = max(last.came, *(high for _low, high in band), 1.0)

    def at(point: CurvePoint, value: float) -> str:
        x = _CURVE_LEFT + (_CURVE_WIDTH - _CURVE_LEFT - 4) * point.cards / max(last.cards, 1)
        return f"{x:.1f},{4 + _HEIGHT * (1 - max(value, 0.0) / highest):.1f}"

    # The band's outline goes along its upper edge, and back along the lower one.
    above = [at(point, high) for point, (_low, high) in zip(curve.points, band, strict=True)]
    below = [at(point, low) for point, (low, _high) in zip(curve.points, band, strict=True)]
    chance = [at(point, point.expected) for point in curve.points]
    came = [at(point, point.came) for point in curve.points]
    low, high = band[-1]
    label = _(
        "{game}, {what}: {came} of {cards} cards; by chance {expected}, and in 19 of 20 cases from "
        "{low} to {high}"
    ).format(
        game=game_named(curve.game).title,
        what=_(curve.what),
        came=number(last.came),
        cards=number(last.cards),
        expected=decimal(last.expected),
        low=decimal(max(low, 0.0)),
        high=decimal(high),
    )
    steps = [step for step in chart_steps(0, int(highest)) if step]
    drawn = picture(
        _CURVE_WIDTH,
        _HEIGHT + 8,
        label,
        [_level(step, 4 + _HEIGHT * (1 - step / highest)) for step in steps],
        tag("path", d=f"M{' L'.join(above + below[::-1])}z", class_="band"),
        tag("polyline", points=" ".join(chance), class_="chance"),
        tag("polyline", points=" ".join(came), class_=f"came-line p{curve.player}"),
    )
    return tag("div", tag("p", label), drawn, class_="bars")


def _level(step: int, y: float) -> Html:
    line = tag("line", x1=_CURVE_LEFT, x2=_CURVE_WIDTH - 4, y1=y, y2=y)
    return tag(
        "g", line, tag("text", step, x=_CURVE_LEFT - 6, y=y + 4, text_anchor="end"), class_="grid"
    )


def _bars(share: Share) -> Html:
    """Return a bar for each rank, with a line at the expected count."""
    highest = max(max(rank.came, rank.expected) for rank in share.ranks) or 1
    parts = []
    for i, rank in enumerate(share.ranks):
        x, height = 4 + i * _BAR, _HEIGHT * rank.came / highest
        line = _HEIGHT - _HEIGHT * rank.expected / highest + 4
        by_chance = _("by chance {count}").format(count=f"{rank.expected:.1f}")
        text = tag("title", f"{rank.rank}: {rank.came}, {by_chance}")
        parts += [
            tag(
                "rect",
                text,
                x=x,
                y=_HEIGHT - height + 4,
                width=_BAR - 5,
                height=height,
                class_="came",
            ),
            tag("line", x1=x - 2, x2=x + _BAR - 3, y1=line, y2=line, class_="chance"),
            tag("text", rank.rank, x=x + _BAR / 2 - 2, y=_HEIGHT + 18, text_anchor="middle"),
        ]
    cards = _n("{n} card", "{n} cards", share.cards)
    label = f"{game_named(share.game).title}, {_(share.how)}: {cards}"
    drawn = picture(8 + _BAR * len(share.ranks), _HEIGHT + 24, label, parts)
    return tag("div", tag("p", label), drawn, class_="bars")


def _tests(luck: LuckReport) -> Html:
    heads = [_("Player"), _("Game"), _("What"), _("Test")]
    heads += [_("Came"), _("By chance"), "p", _("Corrected")]
    rows = []
    for look in luck.looks:
        cells: Sequence[str] = (
            luck.players[look.player].name,
            game_named(look.game).title,
            f"{_(look.what)}, {_(look.how)}",
            _(look.method),
            f"{look.came}",
            f"{look.expected:.1f}",
            _("too few") if look.p is None else f"{look.p:.3g}",
            "" if look.corrected is None else f"{look.corrected:.3g}",
        )
        mark = "strikes" if look.strikes else None
        rows.append(tag("tr", [tag("td", cell) for cell in cells], class_=mark))
    return data_table(heads, rows, _("All tests"))
