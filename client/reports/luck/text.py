"""The statistics of luck as lines for people."""

from collections.abc import Iterator

from client.i18n.language import _, number
from client.reports.luck.report import Look, LuckReport
from engine.games import game_named


def luck_lines(luck: LuckReport) -> Iterator[str]:
    """Return one line for each test, and the result of all of them."""
    yield _("Luck over {extent}:").format(extent=luck.extent)
    for place, player in enumerate(luck.players):
        yield f"  {player.name}, {' '.join(player.words)}"
        yield from (f"    {look_line(look)}" for look in luck.looks if look.player == place)
    yield luck.verdict
    yield _(luck.sentence)


def look_line(look: Look) -> str:
    """Return one test in a line, without the player."""
    counts = number(look.came)
    if look.what != "ranks":
        by_chance = _("by chance {count}").format(count=f"{look.expected:.1f}")
        counts += f" ({by_chance})"
    text = _("too few cards to test")
    if look.p is not None:
        text = _("p = {p}, corrected {corrected}, {method} test").format(
            p=f"{look.p:.3g}", corrected=f"{look.corrected:.3g}", method=_(look.method)
        )
    mark = "  <- " + _("unlike chance") if look.strikes else ""
    return f"{game_named(look.game).title}, {_(look.what)}, {_(look.how)}: {counts}: {text}{mark}"
