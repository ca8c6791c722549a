"""Keys and clicks on the table's screen."""

import pytest

from client.ui.model.pages import Page
from client.ui.tui.table.screen import TableScreen
from client.ui.tui.toolkit.glyphs import UNICODE
from client.ui.tui.toolkit.style import style_of
from client.ui.tui.toolkit.terminal_look import TerminalLook
from protocol.words import words
from tests.client.plain_seat import snapshot_at
from tests.client.terminals import emulated, hands_on
from tests.client.ui.tui.golden import table_on
from tests.client.ui.tui.situations import (
    DRAWING,
)


async def test_the_log_opens_at_what_happened_last() -> None:
    log = tuple(f"Ana: discards {number}" for number in range(60))
    with table_on(snapshot_at("canasta", DRAWING, log=log)) as (hands, _):
        hands.press("l")
        assert "discards 59" in hands.screen
        assert "discards 20" not in hands.screen
        hands.press("\x1b[5~" * 6)
        assert "discards 0" in hands.screen


@pytest.mark.parametrize("page", [Page.KEYS, Page.SHEET])
async def test_every_key_that_the_footer_names_works_over_a_page(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    with table_on(snapshot_at("canasta", DRAWING)) as (_, screen):
        offered = [command.key for command in screen.window.offered]
    assert ":" in offered
    monkeypatch.setattr(TableScreen, "_think", lambda *_: None)
    for key in offered:
        with table_on(snapshot_at("canasta", DRAWING)) as (hands, screen):
            screen.window.open_page(page)
            hands.press({"Enter": "\r", "F1": "\x1bOP"}.get(key, key))
            moved_on = screen.window.page is not page or screen.window.command_open
            assert moved_on or (key, page) == ("?", Page.KEYS), key


async def test_the_words_of_the_table_lie_on_it_at_the_beginning() -> None:
    with emulated(80, 24) as (keyboard, emulator):
        screen = TableScreen(TerminalLook(UNICODE, style_of("dark")), opening=Page.WORDS)
        snapshot = snapshot_at("canasta", DRAWING)
        screen.window.show(snapshot)
        with hands_on(screen.app, keyboard, emulator) as hands:
            assert "   ".join(words(snapshot.state.table_id)) in hands.screen
            hands.press("\r")
            assert screen.window.page is None
