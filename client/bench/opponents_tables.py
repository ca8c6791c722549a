"""The results of `sobremesa bench opponents` as two tables for people: pairings, and levels."""

from collections.abc import Sequence
from itertools import chain

from client.bench.level_match import Blunders
from client.bench.opponents import OpponentsBench, wilson
from client.i18n.language import _, decimal, number


def render(benches: Sequence[OpponentsBench]) -> str:
    """Return the two tables, with an empty line between them."""
    return f"{_pairings(benches)}\n\n{_levels(benches)}"


def _levels(benches: Sequence[OpponentsBench]) -> str:
    head = (
        _("game"),
        _("level"),
        _("players"),
        _("turns"),
        _("stranded"),
        "95 %",
        _("wild cards thrown"),
        _("wild wasted"),
        "95 %",
        _("said yes"),
        _("hasty yes"),
        "95 %",
    )
    rows = [
        (
            game,
            level,
            number(players),
            *chain.from_iterable(
                (number(of), *_share_of(some, of))
                for some, of in ((b.stranded, b.turns), (b.wasted, b.wild), (b.hasty, b.yes))
            ),
        )
        for (game, players, level), b in blunders_of(benches).items()
    ]
    return _table([head, *rows])


def _share_of(some: int, of: int) -> tuple[str, str]:
    """Return a share and its interval; dashes if there was nothing to count."""
    if not of:
        return "–", "–"
    low, high = wilson(some, of)
    return _percent(some / of), f"{_percent(max(0.0, low))} - {_percent(min(1.0, high))}"


def _pairings(benches: Sequence[OpponentsBench]) -> str:
    head = (
        _("game"),
        _("levels"),
        _("players"),
        _("imagined"),
        _("matches"),
        _("won"),
        _("tied"),
        _("share"),
        "95 %",
        _("fair share"),
        _("points a round"),
        _("mean ms"),
        _("worst ms"),
    )
    return _table([head, *map(_cells, benches)])


def _cells(bench: OpponentsBench) -> tuple[str, ...]:
    return (
        bench.game,
        " - ".join(bench.levels),
        number(bench.players),
        number(bench.imagined),
        number(bench.matches),
        number(bench.won),
        number(bench.drawn),
        _percent(bench.share),
        f"{_percent(bench.low)} - {_percent(bench.high)}",
        _percent(bench.fair),
        " - ".join(decimal(points, 0) for points in bench.points_a_round),
        decimal(bench.mean_ms[0], 1),
        decimal(bench.worst_ms[0], 0),
    )


def _percent(share: float) -> str:
    return f"{decimal(100 * share, 1)}%"


def _table(rows: Sequence[Sequence[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(_row(cells, widths) for cells in rows)


def _row(cells: Sequence[str], widths: Sequence[int]) -> str:
    """Return a row with words on the left, figures on the right."""
    padded = [cell.ljust(width) for cell, width in zip(cells[:2], widths, strict=False)]
    padded += [cell.rjust(width) for cell, width in zip(cells[2:], widths[2:], strict=True)]
    return "  ".join(padded)


def blunders_of(benches: Sequence[OpponentsBench]) -> dict[tuple[str, int, str], Blunders]:
    """Return the blunders of each level in all its matches, by game and number of players."""
    found: dict[tuple[str, int, str], Blunders] = {}
    for bench in benches:
        for level, blunders in zip(bench.levels, bench.blunders, strict=True):
            found.setdefault((bench.game, bench.players, level), Blunders()).add(blunders)
    return found
