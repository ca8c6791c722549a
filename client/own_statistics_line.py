"""The person's own results in one line of the first screen, cached in a small file.

`client.reports.ledger.own_statistics` computes the results from audited records. The file has the
number of these records and the time of the newest one. If either is different now, the line is out
of date and is not shown.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from client.i18n.language import _, _n, number
from p2p.storage.private_files import FolderError, read_own, replace_private

FILE = "statistics"
_FORM = "1"
"""Version of the file format; a file of another version is ignored."""

_MOST_BYTES = 400
_LONGEST_CURVE = 24
_BLOCKS, _ASCII = "▁▂▃▄▅▆▇█", "_.-=+*#@"
"""Symbols for the heights of a small curve, from the lowest to the highest."""


class StatisticsLine(NamedTuple):
    """The results of the person from all their records."""

    records: int
    newest: int
    """Time of the newest record, in nanoseconds."""
    matches: int
    wins: int
    rating: int
    error: int
    """Half of the width of the rating's 95 % confidence interval."""
    curve: str
    """The rating after each of the last matches, as digits from 0 to 7."""

    def text(self, *, symbols: bool) -> str:
        """Return the line as text, with the curve in block symbols or in ASCII."""
        matches = _n("{n} match", "{n} matches", self.matches)
        told = _("{matches}, {wins} won; rating {rating}, give or take {error}").format(
            matches=matches,
            wins=number(self.wins),
            rating=number(self.rating),
            error=number(self.error),
        )
        return f"{told}  {drawn(self.curve, symbols=symbols)}".rstrip()


def drawn(curve: str, *, symbols: bool) -> str:
    """Return a curve of digits as a row of small bars."""
    heights = _BLOCKS if symbols else _ASCII
    return "".join(heights[int(one)] for one in curve)


def digits(values: Sequence[float]) -> str:
    """Return the last 24 values as digits: 0 for the lowest of them, 7 for the highest."""
    shown = values[-_LONGEST_CURVE:]
    if not shown:
        return ""
    low, high = min(shown), max(shown)
    return "".join(f"{round(7 * (value - low) / max(high - low, 1e-9))}" for value in shown)


def newest_of(records: Sequence[Path]) -> int:
    """Return the time of the newest record in nanoseconds, 0 if there is none."""
    return max((path.stat().st_mtime_ns for path in records), default=0)


def keep_line(folder: Path, line: StatisticsLine) -> None:
    """Write the cached line to its file. Raises OSError and FolderError."""
    replace_private(folder / FILE, " ".join([_FORM, *map(str, line)]).encode())


def kept_line(folder: Path, records: Sequence[Path]) -> StatisticsLine | None:
    """Return the cached line; None if it is out of date for `records`, or cannot be read."""
    try:
        form, *fields = read_own(folder / FILE, _MOST_BYTES).decode("ascii").split(" ")
        records_, newest, matches, wins, rating, error = map(int, fields[:-1])
        line = StatisticsLine(records_, newest, matches, wins, rating, error, fields[-1])
        right = form == _FORM and (line.records, line.newest) == (len(records), newest_of(records))
        return line if right and set(line.curve) <= set("01234567") else None
    except (FolderError, OSError, ValueError, TypeError):
        return None
