"""Menus, used by keys on the screen or by typed lines."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from client.ui.tui.toolkit.dialogs import HEADING, Reader, reader_application
from client.ui.tui.toolkit.glyphs import ASCII, UNICODE, Glyphs
from client.ui.tui.toolkit.menu import Choice, Menu, menu_application
from client.ui.tui.toolkit.spans import text_of
from tests.client.terminals import Hands, emulated, hands_on, plain_look

CHOICES = [Choice("a", "Apples", "Round and red."), Choice("b", "Bananas"), Choice("c", "Cherries")]


def menu() -> Menu:
    return Menu("Fruit", CHOICES, ("A sentence above.",))


@contextmanager
def on_screen(
    shown: Menu, columns: int = 40, rows: int = 14, glyphs: Glyphs = UNICODE
) -> Iterator[tuple[Hands, list[object]]]:
    """Return the `Hands` that use a menu, and the list of the menu's results."""
    with emulated(columns, rows) as (keyboard, emulator):
        app = menu_application(shown, plain_look(glyphs=glyphs))
        results: list[object] = []
        app.exit = lambda *, result: results.append(result)  # type: ignore[method-assign, assignment]
        with hands_on(app, keyboard, emulator) as hands:
            yield hands, results


async def test_a_choice_is_made_by_typing_its_number() -> None:
    for lines, value in (
        *((("2",), "b"), (("9", "x", "1"), "a"), (("",), None), (("٣",), "c"), (("3",), "c")),
        *((("0", "2"), "b"), (("-1", "2"), "b"), (("4", "2"), "b"), (("10000", "2"), "b")),
    ):
        assert await menu().ask(plain_look(lines)) == value, lines


@pytest.mark.parametrize(
    ("keys", "place"),
    [("\r", 0), ("\x1b[B\r", 1), ("\x1b[A\r", 2), ("\x1b[B\x1b[B\x1b[B ", 0), ("3", 2)],
)
async def test_keys_move_to_a_choice_and_choose_it(keys: str, place: int) -> None:
    shown = menu()
    with on_screen(shown) as (hands, results):
        assert "▶ Apples" in hands.screen
        assert "Round and red." in hands.screen
        hands.press(keys)
    assert (results, shown.place) == ([True], place)


async def test_a_choice_is_made_by_a_click_but_pasted_text_chooses_nothing() -> None:
    shown = menu()
    with on_screen(shown) as (hands, results):
        hands.press("\x1b[200~3\rq\x1b[201~")
        assert results == []
        hands.press(hands.click_on("Cherries"))
    assert (results, shown.place) == ([True], 2)


async def test_the_mouse_is_left_to_the_terminal_where_a_click_has_no_meaning() -> None:
    with emulated(40, 10):
        assert menu_application(menu(), plain_look()).mouse_support()
        assert not reader_application(Reader("Title", ()), plain_look()).mouse_support()


async def test_a_question_mark_toggles_the_help_about_keys() -> None:
    with on_screen(menu(), 60, 16) as (hands, _):
        assert "? tells more" in hands.screen
        for told in (True, False):
            hands.press("?")
            assert ("the number of a choice" in hands.screen) == told
            assert ("Round and red." in hands.screen) != told


@pytest.mark.parametrize("line", ["?", "help"])
async def test_a_question_mark_explains_in_lines_what_can_be_typed(
    line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert await menu().ask(plain_look((line, "2"))) == "b"
    asked = "a number, or nothing to go back> "
    assert capsys.readouterr().out == (
        "Fruit\nA sentence above.\n1. Apples: Round and red.\n2. Bananas\n3. Cherries\n"
        f"{asked}Type the number of a choice, or nothing to go back. At a table, type help.\n"
        f"{asked}"
    )


async def test_the_cursor_stays_on_its_choice_when_choices_change() -> None:
    shown, more = menu(), [Choice("d", "Dates"), *CHOICES]
    with on_screen(shown) as (hands, _):
        for choices, keys, under_cursor in (
            (more, "", "▶ Dates"),  # the cursor was never moved: it stays on top
            (CHOICES, "\x1b[B", ""),
            (more, "", "▶ Bananas"),
            (CHOICES[:1], "", "▶ Apples"),
            (CHOICES, "", "▶ Apples"),
        ):
            shown.update(choices)
            hands.press(keys)
            assert under_cursor in hands.screen
        shown.update([])
        assert "▶" not in hands.screen
        shown.update(CHOICES)
        assert "▶ Apples" in hands.screen


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII])
async def test_hostile_choices_cannot_move_the_cursor_or_colour_the_screen(glyphs: Glyphs) -> None:
    """Strangers choose names of tables. Decoding cleans names; the menu does not rely on that."""
    hostile = "Mal\x1b[2J\x1b[31m\x9b5A\u202elory\r\nnew\x07"
    asked = Menu("Which table?", [Choice("a", hostile, hostile)], (hostile,))
    with on_screen(asked, 60, 14, glyphs) as (hands, _):
        lines = hands.screen.splitlines()
        assert lines[1] == "  Which table?"
        assert sum("Mal?[2J?[31m" in line for line in lines) == 3
        rows = hands.emulator.screen.buffer.values()
        assert {cell.fg for row in rows for cell in row.values()} == {"default"}


@pytest.mark.parametrize("place", [0, 40, 49])
async def test_a_long_menu_scrolls_to_the_chosen_place(place: int) -> None:
    """A long text above the choices, such as an error, takes some of the rows."""
    text = ["word " * 60]
    many = Menu("Many", [Choice(f"{n}", f"choice {n}") for n in range(50)], text, place=place)
    with on_screen(many, 40, 10) as (hands, _):
        assert f"▶ choice {place}" in hands.screen


async def test_keys_scroll_within_a_text() -> None:
    for keys, first in (
        *((["\x1b[A"], 0), (["\x1b[B", "\r", "\r", "\x1b[A"], 2)),
        *((["\x1b[6~", " ", "\x1b[5~"], 10), (["\x1b[F", "\x1b[B"], 20), (["\x1b[F", "\x1b[H"], 0)),
    ):
        reader = Reader("Title", [f"line {n}" for n in range(30)])
        with emulated(40, 13) as (keyboard, emulator):
            app = reader_application(reader, plain_look())
            with hands_on(app, keyboard, emulator) as hands:
                for key in keys:
                    assert "Title" in hands.screen
                    hands.press(key)
                shown = hands.screen.splitlines()[2:12]
        assert shown == [f" line {first + n}" for n in range(10)]


def test_a_row_of_a_table_keeps_its_blanks_and_a_heading_loses_its_mark() -> None:
    row = "Round 1      Ana   Bruno"
    reader = Reader("Title", [row, HEADING + "Melds", "- C1 One item.", 9 * "long words "])
    (_, _, table, heading, item) = reader.lines(40, 12)[:5]
    assert [text_of(line).strip() for line in (table, heading, item)] == [
        row,
        "Melds",
        "- C1 One item.",
    ]
    assert text_of(table).startswith(" Round")
    assert heading[-1].style == "bold"
