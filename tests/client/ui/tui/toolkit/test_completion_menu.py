"""The menu of completions for a typed line, which covers a part of another window."""

from typing import Any

import pytest
from prompt_toolkit.application import Application
from prompt_toolkit.buffer import Buffer, CompletionState
from prompt_toolkit.completion import Completion
from prompt_toolkit.document import Document
from prompt_toolkit.layout import Float, Layout, Window
from prompt_toolkit.layout.controls import BufferControl

from client.ui.tui.toolkit.changed_rows import ChangedRows
from client.ui.tui.toolkit.completion_menu import completion_menu
from client.ui.tui.toolkit.lines import LinesWindow
from client.ui.tui.toolkit.spans import Span
from tests.client.terminals import emulated, hands_on

COLUMNS, ROWS, LEFT, WIDTH = 30, 4, 5, 10
WIDE = "李" * (COLUMNS // 2)


@pytest.mark.parametrize("shift", [0, 1])
async def test_the_menu_leaves_no_half_of_a_wide_character(shift: int) -> None:
    buffer = Buffer()
    typing = Window(BufferControl(buffer), height=1)
    below = LinesWindow(lambda *_: [(Span(" " * shift + WIDE),)] * ROWS)
    menu = Float(completion_menu(), left=LEFT, top=0)
    typed = Float(typing, left=0, right=0, bottom=0, height=1)
    with emulated(COLUMNS, ROWS) as (keyboard, emulator):
        app: Application[Any] = Application(
            layout=Layout(ChangedRows(below, [typed, menu]), focused_element=typing),
            full_screen=True,
        )
        with hands_on(app, keyboard, emulator) as hands:
            assert hands.screen.splitlines()[0] == " " * shift + WIDE[: (COLUMNS - shift) // 2]
            words = [Completion("draw"), Completion("discard")]
            buffer.complete_state = CompletionState(Document("d"), words)
            assert "discard" in hands.screen
        row = [emulator.screen.buffer[1][column].data for column in range(COLUMNS)]
        edges = (LEFT, LEFT + WIDTH)
        for number in range(COLUMNS - 1):
            inside = edges[0] <= number < edges[1]
            assert inside or (row[number] == "李") == (row[number + 1] == ""), row
        # Without a shift both edges of the menu cut a character in half, and a blank replaces it.
        assert row[LEFT - 1] == (" " if shift == 0 else "")
        assert row[LEFT + WIDTH] == (" " if shift == 0 else "李")
