"""The time axis that the pictures of a match share, with a column for each round."""

from collections.abc import Iterable

from attrs import frozen

from client.reports.model import RoundReport

MARGIN, EDGE = 104.0, 14.0
"""Room for labels left of the first round, and room right of the last one."""

_WIDE = 760.0
_NARROWEST_ROUND = 36.0


@frozen
class RoundColumn:
    """The horizontal place of a round, with its first entry and the number of its entries."""

    left: float
    right: float
    first: int
    entries: int

    def at(self, entry: int) -> float:
        """Return the x coordinate of the middle of an entry."""
        inside = (entry - self.first + 0.5) / self.entries
        return self.left + inside * (self.right - self.left)


@frozen
class Scale:
    """The columns of the rounds: wider for more entries, but never too narrow to see."""

    wide: float
    columns: tuple[RoundColumn, ...]

    @classmethod
    def of(cls, rounds: Iterable[RoundReport]) -> "Scale":
        """Return the scale for these rounds."""
        sizes = [(one.first, one.last - one.first + 1) for one in rounds]
        least = _NARROWEST_ROUND * len(sizes)
        wide = max(_WIDE, least + MARGIN + EDGE)
        total = max(sum(entries for _first, entries in sizes), 1)
        # Half of `least` is divided equally among the columns, the rest in proportion to entries.
        each = (wide - MARGIN - EDGE - least / 2) / total
        columns, at = [], MARGIN
        for first, entries in sizes:
            right = at + _NARROWEST_ROUND / 2 + each * entries
            columns.append(RoundColumn(at, right, first, entries))
            at = right
        return cls(wide, tuple(columns))
