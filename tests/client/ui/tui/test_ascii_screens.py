"""Every screen in every language can be drawn with nothing but ASCII."""

import pytest
from prompt_toolkit.application import Application

from client.i18n.language import LANGUAGES, choose_language
from client.ui.model.pages import Page
from client.ui.tui.toolkit.dialogs import HEADING, Reader, prompt_application, reader_application
from client.ui.tui.toolkit.glyphs import ASCII
from client.ui.tui.toolkit.menu import Choice, Menu, menu_application
from tests.catalogs import TRANSLATED
from tests.client.terminals import emulated, hands_on, plain_look
from tests.client.ui.tui.golden import table_on
from tests.client.ui.tui.lobby_situations import SITUATIONS as LOBBIES
from tests.client.ui.tui.lobby_situations import lobby_on
from tests.client.ui.tui.situations import LOG, at, counted_round

TABLES = {"canasta opening": 4, "kanastic blocked": 4, "canastra": 2}
"""Tables, with the numbers of players who play a round of that game."""
LOOK = plain_look(glyphs=ASCII)
PAGES = (Page.SHEET, Page.HANDS, Page.FAIRNESS)
"""Pages about a finished round; all others are seen at any table."""
TEXT = "¡Ñandú! «ação» — 10♥ K★ …"


@pytest.fixture(autouse=True)
def ascii_terminal() -> None:
    """Set the script of texts as an ASCII terminal does."""
    ASCII.choose_script()


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize("name", TABLES)
async def test_a_table_and_all_its_pages_can_be_drawn_in_ascii(language: str, name: str) -> None:
    choose_language(language)
    snapshot = at(name, (*LOG, TEXT))
    with table_on(snapshot, 120, 40, ASCII) as (hands, one):
        assert hands.screen.isascii()
        for page in (page for page in Page if page not in PAGES):
            one.window.open_page(page)
            assert hands.screen.isascii(), page
        one.window.close_page()
        for keys in ("x", "t", "m", ":", "\x1b", "\x03"):
            hands.press(keys)
            assert hands.screen.isascii(), keys
    with table_on(counted_round(name.split(" ", maxsplit=1)[0], TABLES[name]), 120, 40, ASCII) as (
        hands,
        one,
    ):
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
