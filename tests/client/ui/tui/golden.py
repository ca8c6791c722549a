"""Comparison of whole screens and their styles with readable files in `screens/`.

A file begins with the screen. If styles are compared, rows of letters follow: each has the number
of a row of the screen, and a letter for the style of each character. Then come the meanings of the
letters, on a dark and on a light background. The targets of clicks follow in the same form.
`python -m tests.update_golden_files` draws all of them anew.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from string import ascii_letters, digits

from client.session.display.snapshot import Snapshot
from client.ui.model.pages import Page
from client.ui.tui.table.screen import TableScreen
from client.ui.tui.toolkit.glyphs import UNICODE, Glyphs
from client.ui.tui.toolkit.lines import LinesWindow
from client.ui.tui.toolkit.spans import Click
from client.ui.tui.toolkit.style import style_of
from client.ui.tui.toolkit.terminal_look import TerminalLook
from tests.client.terminals import Emulator, Hands, emulated, hands_on

FOLDER = Path(__file__).parent / "screens"
DRAW_ANEW = "SOBREMESA_WRITE_SCREENS"
"""Environment variable. If it is set, the files are written instead of compared."""

SIZES: Mapping[str, tuple[int, int]] = {
    "60x20": (60, 20),
    "80x24": (80, 24),
    "120x40": (120, 40),
    "200x60": (200, 60),
}
"""Sizes of windows: the smallest, the usual, a large and the largest one."""

_PLAIN = ("", "")


@contextmanager
def table_on(
    snapshot: Snapshot,
    columns: int = 80,
    rows: int = 24,
    glyphs: Glyphs = UNICODE,
    opening: Page | None = None,
) -> Iterator[tuple[Hands, TableScreen]]:
    """Return the screen of a table that shows the snapshot."""
    with emulated(columns, rows) as (keyboard, emulator):
        screen = TableScreen(TerminalLook(glyphs, style_of("dark")), opening=opening)
        screen.window.show(snapshot)
        with hands_on(screen.app, keyboard, emulator) as hands:
            yield hands, screen


def check(name: str, shown: str) -> None:
    """Assert that the file of that name has this screen."""
    check_file(FOLDER / f"{name}.txt", shown)


def check_file(
    path: Path, shown: str, command: str = "python -m tests.update_golden_files"
) -> None:
    """Assert that the file, which `command` writes, has this text."""
    if os.environ.get(DRAW_ANEW):
        path.write_text(shown + "\n", encoding="utf-8")
    assert path.exists(), f"{path.name} is missing: run {command}"
    assert shown + "\n" == path.read_text(encoding="utf-8"), f"if this is intended, run {command}"


def styled(hands: Hands) -> str:
    """Return the screen, its styles in the dark and in the light theme, and what clicks mean."""
    shown, dark = hands.screen, _styles(hands.emulator)
    clicks = _clicks(hands)
    hands.app.style = style_of("light")
    hands.app.renderer.clear()
    assert hands.screen == shown, "the themes differ in more than colours"
    cells = [[*zip(*rows, strict=True)] for rows in zip(dark, _styles(hands.emulator), strict=True)]
    told = [shown, "=== styles", *_marked(cells, _PLAIN, "=== where", "dark: {}; light: {}")]
    return "\n".join([*told, "=== clicks", *_marked(clicks, ("",), "=== on", "{}")])


def _marked(
    cells: Sequence[Sequence[tuple[str, ...]]], plain: tuple[str, ...], title: str, told: str
) -> Iterator[str]:
    """Yield the rows with a letter for each cell that is not plain, and the letters' meanings."""
    found = [one for one in dict.fromkeys(chain(*cells)) if one != plain]
    letters = dict(zip(found, ascii_letters + digits, strict=False))
    rows = ("".join(letters.get(one, " ") for one in row).rstrip() for row in cells)
    yield from (f"{number:2} {row}" for number, row in enumerate(rows, 1) if row)
    yield title
    yield from (f"{letter}  {told.format(*one)}" for one, letter in letters.items())


def _clicks(hands: Hands) -> list[list[tuple[str, ...]]]:
    """Return the target of a click on each cell; "" for none."""
    drawn, terminal = hands.app.renderer.last_rendered_screen, hands.emulator.screen
    assert drawn is not None
    empty: tuple[str, ...] = ("",)
    cells = [[empty] * terminal.columns for _row in range(terminal.lines)]
    for window, area in drawn.visible_windows_to_write_positions.items():
        for row, line in enumerate(window._shown if isinstance(window, LinesWindow) else ()):
            targets: list[tuple[str, ...]] = [
                (_told(span.click),) for span in line for _column in range(span.width)
            ]
            there = slice(area.xpos, area.xpos + area.width)
            cells[area.ypos + row][there] = targets[: area.width]
    return cells


def _told(click: Click | None) -> str:
    number = f" {click.number}" if click and click.number else ""
    return f"{click.what}{number} {click.key}".rstrip() if click else ""


def _styles(emulator: Emulator) -> list[list[str]]:
    """Return the style of each cell; "" for a plain cell or a blank without visible style."""
    screen = emulator.screen
    return [
        [_style(screen.buffer[row][column]) for column in range(screen.columns)]
        for row in range(screen.lines)
    ]


def _style(cell: object) -> str:
    looks = {name: getattr(cell, name) for name in ("bold", "italics", "underscore", "reverse")}
    colours = {name: getattr(cell, name) for name in ("fg", "bg")}
    seen = looks["underscore"] or looks["reverse"] or colours["bg"] != "default"
    if getattr(cell, "data") == " " and not seen:  # noqa: B009 - a tuple of pyte, without types
        return ""
    words = [name for name, on in looks.items() if on]
    words += [f"{name} {colour}" for name, colour in colours.items() if colour != "default"]
    return " ".join(words)
