"""The columns of the rounds, which the pictures of a match share as their time axis."""

from collections.abc import Iterable

from attrs import frozen

from client.reports.model import RoundReport

MARGIN, EDGE = 104.0, 14.0
"""Room for labels left of the first round, and room right of the last one."""

_WIDTH = 760.0
_WIDTH_PER_ROUND = 36.0
"""The average width that a round needs: with many rounds, the picture is made wider.

A column has at least half of this width, however few entries its round has.
"""


@frozen
class RoundColumn:
    """The horizontal place of a round, with its first entry and the number of its entries."""

    left: float
    right: float
    first: int
    entries: int

    def x_of(self, entry: int) -> float:
        """Return the x coordinate of the middle of an entry."""
        inside = (entry - self.first + 0.5) / self.entries
        return self.left + inside * (self.right - self.left)


@frozen
class Scale:
    """The columns of the rounds: wider for more entries, but never too narrow to see."""

    width: float
    columns: tuple[RoundColumn, ...]

    @classmethod
    def of(cls, rounds: Iterable[RoundReport]) -> "Scale":
        """Return the scale for these rounds."""
        sizes = [(one.first, one.last - one.first + 1) for one in rounds]
        least = _WIDTH_PER_ROUND * len(sizes)
        width = max(_WIDTH, least + MARGIN + EDGE)
        total = max(sum(entries for _first, entries in sizes), 1)
        # Half of `least` is divided equally among the columns, all other width by their entries.
        per_entry = (width - MARGIN - EDGE - least / 2) / total
        columns, at = [], MARGIN
        for first, entries in sizes:
            right = at + _WIDTH_PER_ROUND / 2 + per_entry * entries
            columns.append(RoundColumn(at, right, first, entries))
            at = right
        return cls(width, tuple(columns))
