"""The table as lines: its parts one under the other, the log beside them on a wide screen."""

from collections.abc import Callable
from typing import Any, TypeVar

from attrs import define, field

from client.i18n.language import _
from client.ui.model.table_view import TableView
from client.ui.tui.table import event_log, melds, seats, status
from client.ui.tui.table.hand import hand
from client.ui.tui.table.header import header
from client.ui.tui.toolkit.glyphs import Glyphs
from client.ui.tui.toolkit.spans import Line, Span, padded

T = TypeVar("T")

MIDDLE = "others stock aside pile"
"""The fields of a view that the middle of the table shows."""

_WIDE_COLUMNS = 110
_LOG_COLUMNS = 42
_LOG_ROWS = (4, 3, 2)
"""Numbers of rows for the log below the melds; the first number that leaves them room is used."""
_ROOMY_ROWS = 24
"""The minimum number of rows of a screen that has room for a line about the person's own place."""
_TALL_ROWS = 32
"""The minimum number of rows of a screen that has room for whole cards."""


@define
class PartCache:
    """A cache with the newest result of each function that draws a part of a table."""

    glyphs: Glyphs
    _made: dict[Callable[..., Any], tuple[object, Any]] = field(factory=dict)

    def __call__(
        self, draw: Callable[..., T], view: TableView, shown: str, *size: int, **how: bool
    ) -> T:
        """Return `draw(view, glyphs, *size, **how)`, or the newest result if it is still valid.

        `shown` names the fields of the view that the part shows, such as "own hand". The result is
        valid as long as these fields, the size and `how` stay the same.
        """
        now = [getattr(view, name) for name in shown.split()], size, how
        before = self._made.get(draw)
        if before is None or before[0] != now:
            before = self._made[draw] = now, draw(view, self.glyphs, *size, **how)
        made: T = before[1]
        return made


@define
class TablePicture:
    """A renderer of tables; parts that have not changed are not drawn again."""

    glyphs: Glyphs
    hand_row: int = 0
    """Row of the hand in the newest drawing."""
    status_rows: int = 0
    """Rows of the lines about the turn in the newest drawing."""
    _part: PartCache = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._part = PartCache(self.glyphs)

    def lines(self, view: TableView, columns: int, rows: int, *, paused: bool) -> list[Line]:
        """Return all but the last row of a terminal of that size.

        In a pause the person wants to see the melds, so no rows are kept free for the log.
        """
        title = "game round_number rounds target spectators sides"
        head = self._part(header, view, title, columns)
        below = self._own_lines(view, columns, rows)
        room = max(0, rows - 1 - len(head) - len(below))
        if columns >= _WIDE_COLUMNS:
            middle = self._beside(view, columns, room)
        else:
            middle = self._below(view, columns, room, paused=paused)
        middle += [()] * (room - len(middle))
        return [*head, *middle[:room], *below]

    def _own_lines(self, view: TableView, columns: int, rows: int) -> list[Line]:
        """Return the person's own place, hand, and messages."""
        own: list[Line] = []
        if rows >= _ROOMY_ROWS:
            own = self._part(seats.own_seat, view, "own hand", columns)
        cards = self._part(hand, view, "hand", columns, tall=rows >= _TALL_ROWS)
        messages = status.status(view, self.glyphs, columns)
        self.status_rows = len(messages)
        self.hand_row = max(0, rows - 1 - len(messages) - len(cards))
        return [*own, *cards, *messages]

    def _beside(self, view: TableView, columns: int, rows: int) -> list[Line]:
        """Return the middle of a wide table, with the log in about a quarter of the width."""
        log_columns = max(_LOG_COLUMNS, min(70, columns // 4))
        width = columns - log_columns - 1
        left = self._part(_around, view, MIDDLE, width)
        left = [*left, *self._part(_sides, view, "sides", width, rows, rows - len(left))]
        blank = padded((), width + 1)
        log = self._part(event_log.log, view, "log", log_columns, rows)
        return [
            (*(left[row] if row < len(left) else blank), *(log[row] if row < len(log) else ()))
            for row in range(rows)
        ]

    def _below(self, view: TableView, columns: int, rows: int, *, paused: bool) -> list[Line]:
        """Return the middle of a narrow table; the log gets the rows that are left, if any."""
        around = self._part(_around, view, MIDDLE, columns)
        left = rows - len(around)
        least = 0 if paused else self._log_rows(view, columns, left)
        sides = self._part(_sides, view, "sides", columns, rows, left - least)
        return [
            *around,
            *sides,
            *self._part(event_log.log, view, "log", columns, left - len(sides)),
        ]

    def _log_rows(self, view: TableView, columns: int, left: int) -> int:
        """Return the number of rows to keep for the log.

        The melds should have room to stand in columns or, if that is impossible, several in a line.
        """
        least_rows = self._part(melds.least_rows, view, "sides", columns)
        for least in least_rows:
            for log in _LOG_ROWS:
                if least + log <= left:
                    return log
        return 0 if view.lesson else _LOG_ROWS[-1]  # a lesson needs rows for its texts


def _around(view: TableView, glyphs: Glyphs, width: int) -> list[Line]:
    return [padded(line, width + 1) for line in seats.seats(view, glyphs, width)]


def _sides(view: TableView, glyphs: Glyphs, width: int, rows: int, room: int) -> list[Line]:
    """Return the melds, drawn for `rows` rows if that fits in `room` rows.

    If not, they are drawn for `room` rows. If the lines are still too many, they are cut, and the
    last line says so.
    """
    lines = melds.sides(view, glyphs, width, rows)
    if len(lines) > room:
        lines = melds.sides(view, glyphs, width, room)
        lines += [()] * (room - len(lines))
    if len(lines) > room:
        more = (Span(" " + _("more melds: make the window higher")),)
        lines = [*lines[: max(0, room - 1)], more]
    return [padded(line, width + 1) for line in lines]
