"""Every screen in every language can be drawn with nothing but ASCII."""

import pytest
from prompt_toolkit.application import Application

from client.i18n.language import LANGUAGES, choose_language
from client.ui.model.pages import Page
from client.ui.tui.toolkit.dialogs import HEADING, Reader, prompt_application, reader_application
from client.ui.tui.toolkit.glyphs import ASCII
from client.ui.tui.toolkit.menu import Choice, Menu, menu_application
from client.ui.tui.toolkit.style import style_of
from client.ui.tui.toolkit.terminal_look import TerminalLook
from tests.catalogs import TRANSLATED
from tests.client.plain_seat import snapshot_at
from tests.client.terminals import emulated, hands_on
from tests.client.ui.tui import situations as tables
from tests.client.ui.tui.golden import table_on
from tests.client.ui.tui.lobby_situations import SITUATIONS as LOBBIES
from tests.client.ui.tui.lobby_situations import lobby_on

PLAYERS = {"canasta": 4, "kanastic": 4, "canastra": 2}
LOOK = TerminalLook(ASCII, style_of("plain"))
TABLES = {
    "canasta": tables.canasta_opening,
    "kanastic": tables.kanastic_blocked,
    "canastra": tables.canastra,
}
PAGES = (Page.SHEET, Page.HANDS, Page.FAIRNESS)
"""Pages about a finished round; all others are seen at any table."""
TEXT = "¡Ñandú! «ação» — 10♥ K★ …"


@pytest.fixture(autouse=True)
def ascii_terminal() -> None:
    """Set the script of texts as an ASCII terminal does."""
    ASCII.choose_script()


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize("game", TABLES)
async def test_a_table_and_all_its_pages_can_be_drawn_in_ascii(language: str, game: str) -> None:
    choose_language(language)
    snapshot = snapshot_at(game, TABLES[game](), log=(*tables.LOG, TEXT))
    with table_on(snapshot, 120, 40, ASCII) as (hands, one):
        assert hands.screen.isascii()
        for page in (page for page in Page if page not in PAGES):
            one.window.open_page(page)
            assert hands.screen.isascii(), page
        one.window.close_page()
        for keys in ("x", "t", "m", ":", "\x1b", "\x03"):
            hands.press(keys)
            assert hands.screen.isascii(), keys


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize("game", TABLES)
async def test_the_end_of_a_round_can_be_drawn_in_ascii(language: str, game: str) -> None:
    choose_language(language)
    with table_on(tables.counted_round(game, PLAYERS[game]), 120, 40, ASCII) as (hands, one):
        for page in PAGES:
            one.window.open_page(page)
            assert hands.screen.isascii(), page


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize("name", LOBBIES)
async def test_a_lobby_can_be_drawn_in_ascii(language: str, name: str) -> None:
    choose_language(language)
    with lobby_on(LOBBIES[name], 120, 40, ASCII) as (hands, _):
        assert hands.screen.isascii()


@pytest.mark.parametrize("language", LANGUAGES)
async def test_menus_texts_and_questions_can_be_drawn_in_ascii(language: str) -> None:
    choose_language(language)
    with emulated(60, 14) as (keyboard, emulator):
        menu = Menu(TEXT, [Choice("a", TEXT, TEXT)], (TEXT,))
        applications: list[Application[object]] = [
            menu_application(menu, LOOK),  # type: ignore[list-item]
            reader_application(Reader(TEXT, [HEADING + TEXT, TEXT]), LOOK),  # type: ignore[list-item]
            prompt_application(TEXT, "x", LOOK),  # type: ignore[list-item]
        ]
        for app in applications:
            with hands_on(app, keyboard, emulator) as hands:
                assert "Nandu" in hands.screen
                assert hands.screen.isascii()
