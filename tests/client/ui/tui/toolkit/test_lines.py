"""Lines on the screen: a character for each column, and clicks on a column."""

from collections.abc import Iterator

import pytest
from prompt_toolkit.application import Application
from prompt_toolkit.layout import Float, HSplit, Layout

from client.ui.tui.toolkit.changed_rows import ChangedRows
from client.ui.tui.toolkit.lines import LinesWindow
from client.ui.tui.toolkit.spans import Click, Line, Span
from client.ui.tui.toolkit.style import style_of
from tests.client.terminals import Emulator, Hands, emulated, hands_on

COLUMNS, ROWS = 12, 4
GREEK = "αβγδεζηθικλμνξοπρστυφχψω"
"""Letters that occur in no control sequence."""


def line(text: str, style: str = "") -> Line:
    return (Span(text, style),)


class Shown:
    """An application that shows `lines`, and `page` over them from the second row on."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self.page: list[Line] = []
        self.clicks: list[Click] = []
        over = LinesWindow(lambda *_: self.page, self.clicks.append)
        floats = [Float(over, top=1, left=2, width=6, height=lambda: len(self.page))]
        under = LinesWindow(lambda *_: self.lines, self.clicks.append)
        self.app: Application[None] = Application(
            layout=Layout(ChangedRows(under, floats)),
            style=style_of("dark"),
            full_screen=True,
            mouse_support=True,
        )


@pytest.fixture
def shown() -> Iterator[tuple[Shown, Hands]]:
    with emulated(COLUMNS, ROWS) as (keyboard, emulator):
        on = Shown()
        with hands_on(on.app, keyboard, emulator) as hands:
            yield on, hands


def cells(emulator: Emulator) -> list[list[object]]:
    """Return all cells of a terminal."""
    buffer = emulator.screen.buffer
    return [[buffer[row][column] for column in range(COLUMNS)] for row in range(ROWS)]


def row(emulator: Emulator, number: int) -> list[str]:
    return [emulator.screen.buffer[number][column].data for column in range(COLUMNS)]


def test_each_line_is_cut_to_the_window(shown: tuple[Shown, Hands]) -> None:
    on, hands = shown
    on.lines = [line("a table for two"), line("b"), (), line("d"), line("below the last row")]
    assert hands.screen.splitlines() == ["a table for", "b", "", "d"]
    cursor = hands.emulator.screen.cursor
    assert (cursor.x, cursor.y) == (0, 0)


def test_wide_characters_take_two_columns_and_combining_marks_none(
    shown: tuple[Shown, Hands],
) -> None:
    on, hands = shown
    on.lines = [line("李q\u0301x"), line("\u0301y")]
    hands.app.renderer.render(hands.app, hands.app.layout)
    assert row(hands.emulator, 0)[:4] == ["李", "", "q\u0301", "x"]
    assert row(hands.emulator, 1)[0] == "y", "a combining mark at the beginning is left out"


def clicked(shown: tuple[Shown, Hands], column: int, row: int = 2) -> list[Click]:
    """Click on a column of a row, and return the clicks that arrive.

    Columns are numbered from 0 on, rows from 1 on.
    """
    on, hands = shown
    on.clicks.clear()
    assert hands.screen
    hands.press(f"\x1b[<0;{column + 1};{row}m")
    return on.clicks


def test_a_click_goes_to_the_span_in_its_column(shown: tuple[Shown, Hands]) -> None:
    first, second = Click("meld", 1), Click("meld", 2)
    shown[0].lines = [(), (Span("李雷", "", first), Span("e\u0301", "", second), Span("  "))]
    for column, clicks in ((3, [first]), (4, [second]), (5, []), (9, [])):
        assert clicked(shown, column) == clicks
    assert clicked(shown, 0, row=3) == [], "nothing is below the last line"


def test_a_click_goes_to_the_page_on_top(shown: tuple[Shown, Hands]) -> None:
    on, hands = shown
    over, under = Click("key"), Click("card")
    on.lines = [(Span("x" * COLUMNS, "", under),)] * ROWS
    on.page = [(Span("page", "", over),)]
    assert hands.screen.splitlines()[1] == "xxpage  xxxx"
    for column, clicks in ((1, [under]), (2, [over]), (7, []), (8, [under])):
        assert clicked(shown, column) == clicks


def test_a_half_covered_wide_character_is_removed(shown: tuple[Shown, Hands]) -> None:
    """A terminal cannot show half a character; the rest of the row would move by a column."""
    on, hands = shown
    on.lines = [line("a李雷李雷李z")] * ROWS
    on.page = [line("page"), line("p李雷李雷")]
    hands.app.renderer.render(hands.app, hands.app.layout)
    assert "".join(row(hands.emulator, 1)) == "a page   李z"
    assert "".join(row(hands.emulator, 2)) == "a p李雷  李z"


SCREENS: tuple[tuple[str, ...], ...] = (
    ("abcdefghijkl", "mnop", "", "q"),
    ("abcdefghijkl", "mnop", "", "q"),
    ("abcdefghijk", "mnop", "x", ""),
    ("", "", "", ""),
    ("            ", "a          b", "a    b     c", "ab         c"),
    ("a", "a          c", "a    c     c", "aa         d"),
    ("李雷李雷李雷", "ab李b", "李", " 李"),
    ("a雷李雷李b", "aabb", "a", " 字"),
    ("李雷a李雷c", "李雷ab", "aa李", "  字"),
    ("字a字b字c", "字cd", "b", "字d"),
    ("*a*b*c*d*e*f", "*a*", "a*b", "**"),
    ("*a-b*c-d*e-f", "-a*", "a-b", "*-"),
    ("e\u0301e\u0301e\u0301", "e", "e\u0301", "ee\u0301"),
    ("eee", "e\u0301", "ee", "e\u0301e"),
    ("a李雷李雷李", "a李雷李雷李", "abcdefghijkl", "a李b"),
    ("abcdefghijkl", "abcdefg李hij", "a李雷李雷李", "-字-字-字-"),
)
"""Screens drawn one after the other: rows stay equal, get shorter, or get wide characters.

The edge of the page cuts some of the wide characters in half.
"""


def styled_line(text: str) -> Line:
    """Return a line in which some characters have styles of their own."""
    return tuple(
        Span(one, "class:key" if one == "*" else "reverse" if one in "-字" else "") for one in text
    )


@pytest.mark.parametrize("back", [False, True])
def test_incremental_drawing_equals_a_full_drawing(shown: tuple[Shown, Hands], back: bool) -> None:
    """Only differences are written, but the terminal shows the same as after a full drawing."""
    on, hands = shown
    render = hands.app.renderer.render
    for number, texts in enumerate(SCREENS[::-1] if back else SCREENS):
        on.lines = [styled_line(text) for text in texts]
        for page in ([], [line("page"), line("李 雷", "reverse")], [line("李")], []):
            on.page = page
            render(hands.app, hands.app.layout)
            there = cells(hands.emulator)
            if number % 2:
                hands.app.renderer.clear()
                render(hands.app, hands.app.layout)
                assert cells(hands.emulator) == there
            else:
                with emulated(COLUMNS, ROWS) as (keyboard, emulator):
                    other = Shown()
                    other.lines, other.page = on.lines, on.page
                    with hands_on(other.app, keyboard, emulator):
                        other.app.renderer.render(other.app, other.app.layout)
                    assert cells(emulator) == there


def test_unchanged_rows_are_not_written_again(
    shown: tuple[Shown, Hands], monkeypatch: pytest.MonkeyPatch
) -> None:
    on, hands = shown
    written: list[str] = []
    on.lines = [line("αβγδεζηθικλμ"), line("νξοπρστυφχψω"), line("αβ")]
    assert hands.screen
    monkeypatch.setattr(hands.emulator, "write", written.append)
    assert hands.screen
    assert not {*"".join(written)} & {*GREEK}
    on.lines[1] = line("νξοπρστυφχψΩ")
    assert hands.screen
    assert {*"".join(written)} & {*GREEK, "Ω"} == {"Ω"}


def test_a_larger_screen_is_drawn_completely(shown: tuple[Shown, Hands]) -> None:
    on, hands = shown
    on.lines = [line("abc"), line("def")]
    assert hands.screen
    hands.emulator.resize(COLUMNS + 4, ROWS + 1)
    on.lines.append(line("ghi"))
    assert hands.screen.splitlines()[:3] == ["abc", "def", "ghi"]


def test_a_window_takes_as_many_rows_as_it_has_lines() -> None:
    window = LinesWindow(lambda *_: [line("one"), line("two")], dont_extend_height=True)
    below = LinesWindow(lambda *_: [line("below")])
    with emulated(COLUMNS, ROWS) as (keyboard, emulator):
        app: Application[None] = Application(
            layout=Layout(HSplit([window, below])), full_screen=True
        )
        with hands_on(app, keyboard, emulator) as hands:
            assert hands.screen.split() == ["one", "two", "below"]
