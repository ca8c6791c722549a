"""Results of the bench of the opponents as two tables for people: pairings, and levels."""

from collections.abc import Sequence
from itertools import chain

from tests.bench.level_match import Blunders
from tests.bench.opponents import OpponentsBench, wilson


def render(benches: Sequence[OpponentsBench]) -> str:
    """Return the two tables, with an empty line between them."""
    return f"{_pairings(benches)}\n\n{_levels(benches)}"


def _levels(benches: Sequence[OpponentsBench]) -> str:
    head = (
        "game",
        "level",
        "players",
        "turns",
        "stranded",
        "95 %",
        "wild cards thrown",
        "wild wasted",
        "95 %",
        "said yes",
        "hasty yes",
        "95 %",
    )
    rows = [
        (
            game,
            level,
            f"{players:,}",
            *chain.from_iterable(
                (f"{of:,}", *_share_of(some, of))
                for some, of in ((b.stranded, b.turns), (b.wasted, b.wild), (b.hasty, b.yes))
            ),
        )
        for (game, players, level), b in blunders_of(benches).items()
    ]
    return _table([head, *rows])


def _share_of(some: int, of: int) -> tuple[str, str]:
    """Return a share and its 95 % interval; dashes if there was nothing to count."""
    if not of:
        return "–", "–"
    low, high = wilson(some, of)
    return _percent(some / of), f"{_percent(max(0.0, low))} - {_percent(min(1.0, high))}"


def _pairings(benches: Sequence[OpponentsBench]) -> str:
    head = (
        "game",
        "levels",
        "players",
        "imagined",
        "matches",
        "won",
        "tied",
        "share",
        "95 %",
        "fair share",
        "points a round",
        "mean ms",
        "worst ms",
    )
    return _table([head, *map(_cells, benches)])


def _cells(bench: OpponentsBench) -> tuple[str, ...]:
    return (
        bench.game,
        " - ".join(bench.levels),
        f"{bench.players:,}",
        f"{bench.imagined:,}",
        f"{bench.matches:,}",
        f"{bench.won:,}",
        f"{bench.drawn:,}",
        _percent(bench.share),
        f"{_percent(bench.low)} - {_percent(bench.high)}",
        _percent(bench.fair),
        " - ".join(f"{points:,.0f}" for points in bench.points_a_round),
        f"{bench.mean_ms[0]:,.1f}",
        f"{bench.worst_ms[0]:,.0f}",
    )


def _percent(share: float) -> str:
    return f"{100 * share:,.1f}%"


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
