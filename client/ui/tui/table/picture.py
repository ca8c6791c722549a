"""The table as lines: its parts one under the other, the log beside them on a wide screen."""

from collections.abc import Callable
from typing import Any, TypeVar

from attrs import define, field

from client.i18n.language import _
from client.ui.model.table_view import TableView
from client.ui.tui.table import melds, seats, status
from client.ui.tui.table.hand import hand
from client.ui.tui.toolkit.glyphs import Glyphs
from client.ui.tui.toolkit.spans import Line, Span, padded

T = TypeVar("T")

_WIDE_COLUMNS = 110
_LOG_COLUMNS = 42
_LOG_ROWS = (4, 3, 2)
"""Rows of the log below the melds, with its rule: the first number that leaves the melds room."""
_ROOMY_ROWS = 24
"""Least rows of a screen that has room for a line about oneself."""
_TALL_ROWS = 32
"""Least rows of a screen that has room for whole cards."""


@define
class PartCache:
    """A cache with one entry for each part of a screen."""

    _made: dict[str, tuple[object, Any]] = field(factory=dict)

    def part(self, name: str, shown: object, make: Callable[[], T]) -> T:
        """Return the part, made anew only if `shown` differs from the last time."""
        before = self._made.get(name)
        if before is None or before[0] != shown:
            before = self._made[name] = shown, make()
        made: T = before[1]
        return made


@define
class TablePicture:
    """A drawer of tables; parts that have not changed are not drawn again."""

    glyphs: Glyphs
    hand_row: int = 0
    """Row of the hand in the newest drawing."""
    status_rows: int = 0
    """Rows of the lines about the turn in the newest drawing."""
    _parts: PartCache = field(factory=PartCache)

    def lines(self, view: TableView, columns: int, rows: int, *, paused: bool) -> list[Line]:
        """Return all but the last row of a terminal of that size.

        In a pause the melds are what the person wants to see, so no rows are kept free for the log.
        """
        glyphs, part = self.glyphs, self._parts.part
        scores = [(side.names, side.total) for side in view.sides]
        title = (view.game, view.round_number, view.rounds, view.target, view.spectators, scores)
        header = part("header", (title, columns), lambda: seats.header(view, glyphs, columns))
        below = self._own_lines(view, columns, rows)
        room = max(0, rows - 1 - len(header) - len(below))
        if columns >= _WIDE_COLUMNS:
            middle = self._beside(view, columns, room)
        else:
            middle = self._below(view, columns, room, paused=paused)
        middle += [()] * (room - len(middle))
        return [*header, *middle[:room], *below]

    def _own_lines(self, view: TableView, columns: int, rows: int) -> list[Line]:
        """Return the person's own place, hand, and messages."""
        glyphs, part = self.glyphs, self._parts.part
        own: list[Line] = []
        if rows >= _ROOMY_ROWS:
            about = view.own, view.hand, columns
            own = part("own", about, lambda: seats.own_seat(view, glyphs, columns))
        tall = rows >= _TALL_ROWS
        cards = part(
            "hand", (view.hand, columns, tall), lambda: hand(view, glyphs, columns, tall=tall)
        )
        messages = status.status(view, glyphs, columns)
        self.status_rows = len(messages)
        self.hand_row = max(0, rows - 1 - len(messages) - len(cards))
        return [*own, *cards, *messages]

    def _beside(self, view: TableView, columns: int, rows: int) -> list[Line]:
        """Return the middle of a wide table, with the log in about a quarter of the width."""
        log_columns = max(_LOG_COLUMNS, min(70, columns // 4))
        width = columns - log_columns - 1
        left = self._around(view, width)
        left = [*left, *self._sides(view, width, rows, rows - len(left))]
        blank = padded((), width + 1)
        log = self._log(view, log_columns, rows)
        return [
            (*(left[row] if row < len(left) else blank), *(log[row] if row < len(log) else ()))
            for row in range(rows)
        ]

    def _below(self, view: TableView, columns: int, rows: int, *, paused: bool) -> list[Line]:
        """Return the middle of a narrow table; the log gets the rows left, at least a few."""
        around = self._around(view, columns)
        left = rows - len(around)
        least = 0 if paused else self._log_rows(view, columns, left)
        sides = self._sides(view, columns, rows, left - least)
        return [*around, *sides, *self._log(view, columns, left - len(sides))]

    def _log_rows(self, view: TableView, columns: int, left: int) -> int:
        """Return the rows of the log that leave the melds enough room.

        The melds should have room to stand in columns or, if that is impossible, in brief.
        """
        least_rows = self._parts.part(
            "least rows",
            (view.sides, columns),
            lambda: melds.least_rows(view, self.glyphs, columns),
        )
        for least in least_rows:
            for log in _LOG_ROWS:
                if least + log <= left:
                    return log
        return 0 if view.lesson else _LOG_ROWS[-1]  # a lesson needs rows for its texts

    def _around(self, view: TableView, width: int) -> list[Line]:
        def drawn() -> list[Line]:
            return [padded(line, width + 1) for line in seats.seats(view, self.glyphs, width)]

        return self._parts.part(
            "seats", (view.others, view.stock, view.aside, view.pile, width), drawn
        )

    def _sides(self, view: TableView, width: int, rows: int, room: int) -> list[Line]:
        def drawn() -> list[Line]:
            return [
                padded(line, width + 1) for line in self._fitting_sides(view, width, rows, room)
            ]

        return self._parts.part("sides", (view.sides, width, rows, room), drawn)

    def _fitting_sides(self, view: TableView, width: int, rows: int, room: int) -> list[Line]:
        """Return the melds, drawn for `rows` rows if that fits in `room` rows.

        If not, they are drawn for `room` rows. If they are still too many, they are cut, and the
        last line says so.
        """
        lines = melds.sides(view, self.glyphs, width, rows)
        if len(lines) <= room:
            return lines
        lines = melds.sides(view, self.glyphs, width, room)
        if len(lines) <= room:
            return lines + [()] * (room - len(lines))
        more = (Span(" " + _("more melds: make the window higher")),)
        return [*lines[: max(0, room - 1)], more]

    def _log(self, view: TableView, width: int, rows: int) -> list[Line]:
        return self._parts.part(
            "log", (view.log, width, rows), lambda: status.log(view, self.glyphs, width, rows)
        )
