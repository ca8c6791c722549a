"""Redrawing of the screen: prompt_toolkit gets only the differences to compare and write.

A card game's screen has some 40 rows of 120 cells, and a key press changes a few of them.
prompt_toolkit compares two screens cell by cell in Python: the last one that it has drawn, and the
new one. That takes longer than all of the program's own work. Three places reduce this work:

- `PartCache` (`client.ui.tui.table.picture`) keeps the lines of each part of the screen that shows
  nothing new, so that they are not laid out again.
- `client.ui.tui.toolkit.lines` puts lines on the screen, and splits a text into cells only once.
- `ChangedRows`, here, takes equal rows out of both screens before prompt_toolkit compares them. It
  reduces the other rows to a few long "characters": one for each changed piece of one style, and a
  blank for each unchanged stretch.

prompt_toolkit keeps the new screen to compare the next one with. Rows have been taken out of it by
then, so `ChangedRows` remembers them and puts them back before the next comparison.

For example, if only row 7 has changed, both screens are left with row 7 alone. In both it has the
same blank for the unchanged cells, which prompt_toolkit skips. In the new screen it also has a
piece with the word that changed.
"""

import re
from collections import defaultdict
from functools import cache
from itertools import groupby
from operator import attrgetter, is_
from typing import Any

from prompt_toolkit.application import get_app
from prompt_toolkit.layout import FloatContainer
from prompt_toolkit.layout.containers import AnyContainer, Float
from prompt_toolkit.layout.screen import Char, Screen

_LAST = 10**9
"""A z-index above all others, for work when everything is drawn; menus at the cursor have 10**8."""

_Row = defaultdict[int, Char]

_ALIKE, _CHANGED = b"\1", b"\0"
_SHORT = re.compile(rb"(?<=\x00)\x01{1,4}(?=\x00)")
"""Pattern of up to four equal cells between differences.

These cells are written again, like the differences: to move the cursor past them would take as many
characters.
"""
_STYLE = attrgetter("style")
_NOTHING = Char("", "nothing")
_END = Char("|")
"""Cell after the last column of a row, so that the row is compared to its end, and not cut off."""


class ChangedRows(FloatContainer):
    """A container for the whole screen, which leaves only the changes in it to be compared.

    The docstring of this module tells how.
    """

    def __init__(self, content: AnyContainer, floats: list[Float]) -> None:
        super().__init__(content, floats)
        self._drawn = Screen()
        self._rows = dict(self._drawn.data_buffer)

    def write_to_screen(self, screen: Screen, *rest: Any, **named: Any) -> None:
        super().write_to_screen(screen, *rest, **named)
        screen.draw_with_z_index(_LAST, lambda: self._leave_differences(screen))

    def _leave_differences(self, screen: Screen) -> None:
        app = get_app()
        before, rows = app.renderer.last_rendered_screen, dict(screen.data_buffer)
        if before is not None and not app.is_done:  # otherwise prompt_toolkit draws everything
            # Rows were taken out of this screen after it was drawn: put them back to compare.
            if before is self._drawn:
                before.data_buffer.update(self._rows)
            for row, cells in rows.items():
                shown = before.data_buffer.get(row)
                if shown == cells:
                    del before.data_buffer[row], screen.data_buffer[row]
                # Both rows must have all columns in order: 0, 1, 2, ...
                elif shown is not None and [*shown] == [*cells] == [*range(len(cells))]:
                    before.data_buffer[row], screen.data_buffer[row] = _differences(shown, cells)
        self._drawn, self._rows = screen, rows


def _differences(shown: _Row, cells: _Row) -> tuple[_Row, _Row]:
    """Return both rows, which must have all columns, reduced to their differences.

    The first row has a blank of the same width for every unchanged stretch. The second row has the
    same blanks, and the changes in pieces of one style each.
    """
    now = [*cells.values()]
    # `is` is fast, and finds nearly all equal cells, because cells come from caches.
    alike = _SHORT.sub(_as_changed, bytes(map(is_, shown.values(), now)))
    blanks: dict[int, Char] = {}
    pieces: dict[int, Char] = {}
    column, end = 0, len(now)
    while column < end:
        changed = _found(alike, _CHANGED, column)
        if changed > column:
            blanks[column] = _blank(changed - column)
        column = _found(alike, _ALIKE, changed)
        for style, cells_of_style in groupby(now[changed:column], _STYLE):
            texts = [cell.char for cell in cells_of_style]
            if text := "".join(texts):  # the right half of a wide character is empty
                pieces[changed + (not texts[0])] = Char(text, style)
            changed += len(texts)
    blanks[end] = _END
    return defaultdict(_nothing, blanks), defaultdict(_nothing, blanks | pieces)


def _found(alike: bytes, what: bytes, begin: int) -> int:
    """Return the first place of `what` from `begin` on, or the end."""
    at = alike.find(what, begin)
    return len(alike) if at < 0 else at


def _as_changed(found: re.Match[bytes]) -> bytes:
    return _CHANGED * len(found[0])


@cache
def _blank(columns: int) -> Char:
    return Char(" " * columns)


def _nothing() -> Char:
    """Return the cell for columns where no piece begins: a cell that is never written."""
    return _NOTHING
