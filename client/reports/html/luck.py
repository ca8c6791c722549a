"""The statistics of luck as bars beside what chance gives, and the tests as a table."""

from collections.abc import Sequence

from client.i18n.language import _, _n
from client.reports.html.markup import Html, tag
from client.reports.html.parts import data_table, fold
from client.reports.luck.report import LuckReport, Share

_BAR, _TALL = 22.0, 90.0


def luck_section(luck: LuckReport) -> Html:
    """Everything of a `LuckReport`."""
    return tag(
        "section",
        tag("h2", _("Luck")),
        tag("p", tag("strong", luck.verdict)),
        tag("p", _("Over {extent}.").format(extent=luck.extent), " ", _(luck.sentence)),
        tag("p", _("Bars are what came, lines what chance gives."), class_="caption"),
        [_player(luck, place) for place in range(len(luck.players))],
        fold(_("All tests"), _tests(luck)),
        class_="luck",
    )


def _player(luck: LuckReport, place: int) -> Html:
    player = luck.players[place]
    return tag(
        "figure",
        tag("figcaption", player.name, " ", tag("small", " ".join(player.words))),
        [_bars(share) for share in luck.shares if share.player == place],
    )


def _bars(share: Share) -> Html:
    """A bar a rank, with a line where chance would have it."""
    highest = max(max(rank.came, rank.expected) for rank in share.ranks) or 1
    parts = []
    for i, rank in enumerate(share.ranks):
        x, tall = 4 + i * _BAR, _TALL * rank.came / highest
        line = _TALL - _TALL * rank.expected / highest + 4
        by_chance = _("by chance {count}").format(count=f"{rank.expected:.1f}")
        told = tag("title", f"{rank.rank}: {rank.came}, {by_chance}")
        parts += [
            tag("rect", told, x=x, y=_TALL - tall + 4, width=_BAR - 5, height=tall, class_="came"),
            tag("line", x1=x - 2, x2=x + _BAR - 3, y1=line, y2=line, class_="chance"),
            tag("text", rank.rank, x=x + _BAR / 2 - 2, y=_TALL + 18, text_anchor="middle"),
        ]
    cards = _n("{n} card", "{n} cards", share.cards)
    label = f"{share.game}, {_(share.how)}: {cards}"
    picture = tag(
        "svg",
        parts,
        viewBox=f"0 0 {8 + _BAR * len(share.ranks):.0f} {_TALL + 24:.0f}",
        role="img",
        aria_label=label,
    )
    return tag("div", tag("p", label), picture, class_="bars")


def _tests(luck: LuckReport) -> Html:
    heads = (
        _("Player"),
        _("Game"),
        _("What"),
        _("Test"),
        _("Came"),
        _("By chance"),
        "p",
        _("Corrected"),
    )
    rows = []
    for look in luck.looks:
        cells: Sequence[str] = (
            luck.players[look.player].name,
            look.game,
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
