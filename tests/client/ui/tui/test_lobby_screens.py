"""Whole screens of a lobby, and its keys."""

import pytest

from client.i18n.language import LANGUAGES, choose_language
from client.session.display.snapshot import Snapshot
from client.ui.model.lobby_view import lobby_view
from client.ui.model.pages import Page
from client.ui.tui.lobby.screen import key_hints
from client.ui.tui.table.screen import TableScreen
from client.ui.tui.toolkit.glyphs import ASCII, UNICODE, Glyphs
from client.ui.tui.toolkit.style import style_of
from client.ui.tui.toolkit.terminal_look import TerminalLook
from tests.client.lobbies import lobby_at
from tests.client.plain_seat import state_of
from tests.client.terminals import emulated, hands_on
from tests.client.ui.tui.golden import check
from tests.client.ui.tui.lobby_situations import SITUATIONS, lobby_on

SIZES = {"80x24": (80, 24), "120x40": (120, 40)}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", SITUATIONS)
async def test_a_lobby_looks_as_in_its_file(name: str, size: str) -> None:
    with lobby_on(SITUATIONS[name], *SIZES[size]) as (hands, _):
        check(f"{name}-{size}", hands.screen)


@pytest.mark.parametrize("language", ["es", "pt"])
async def test_a_lobby_speaks_the_language_of_the_person(language: str) -> None:
    choose_language(language)
    with lobby_on(SITUATIONS["lobby-host"]) as (hands, _):
        check(f"lobby-{language}-80x24", hands.screen)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("knocking", [("Bartholomew Fitz",), ("Bartholomew Fitz", "Eve")])
async def test_all_keys_have_room_while_somebody_knocks(
    language: str, knocking: tuple[str, ...]
) -> None:
    """The keys can take several lines, and no key has two meanings."""
    choose_language(language)
    knocked = lobby_at(False, True, opponents=(1,), knocking=knocking)
    with lobby_on(knocked) as (hands, _):
        hints = tuple(key_hints(lobby_view(knocked)))
        assert len({key for key, _label in hints}) == len(hints)
        shown = " ".join(" ".join(hands.screen.splitlines()[-4:]).split())
        assert " ".join(f"{key} {label}" for key, label in hints) in shown


HOSTILE = "Mal\x1b[2J\x1b[31m\x9b5A\u202elory\r\nnew\x07"


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII])
async def test_hostile_names_and_titles_cannot_move_the_cursor_or_colour_the_screen(
    glyphs: Glyphs,
) -> None:
    """Decoding refuses such names, but a screen does not rely on that."""
    harmless = lobby_at(False, False, title="Kitchen", names=("Ana", "Bruno"), news=("No.",))
    hostile = lobby_at(False, False, title=HOSTILE, names=("Ana", HOSTILE), news=(HOSTILE,))
    with lobby_on(harmless, glyphs=glyphs) as (hands, _):
        shown = hands.screen.splitlines()
        colours = [cell.fg for cell in hands.emulator.screen.buffer[4].values()]
    with lobby_on(hostile, glyphs=glyphs) as (hands, _):
        attacked = hands.screen.splitlines()
        assert [cell.fg for cell in hands.emulator.screen.buffer[4].values()][-10:] == colours[-10:]
    assert "Mal?[2J?[31m" in attacked[0]
    assert "Mal?[2J?[31m" in hands.emulator.text
    for number, line in enumerate(shown):
        if "Bruno" not in line and "Kitchen" not in line and "No." not in line:
            assert attacked[number] == line


@pytest.mark.parametrize("name", ["漢" * 10, "👩‍👩‍👧" * 6, "e\u0301\u0302" * 20, "\u05d0" * 20])
async def test_wide_names_stay_in_their_column(name: str) -> None:
    with lobby_on(lobby_at(True, True, names=("Ana", name)), 120, 40) as (hands, _):
        ana, other = hands.screen.splitlines()[3:5]
        assert "ready" in other
        display = hands.emulator.screen.display
        column = display[3].index("ready")
        cells = hands.emulator.screen.buffer[4]
        assert "".join(cells[x].data for x in range(column, column + 5)) == "ready"
        assert ana


@pytest.mark.parametrize("key", ["q", "\x1b", "\x03"])
async def test_leaving_takes_one_key(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    left: list[None] = []
    with lobby_on(lobby_at(False)) as (hands, screen):
        monkeypatch.setattr(screen.app, "exit", lambda: left.append(None))
        hands.press(key)
    assert left == [None]


# Before and after a lobby


@pytest.mark.parametrize("size", SIZES)
async def test_the_words_of_the_table_look_as_in_their_file(size: str) -> None:
    with emulated(*SIZES[size]) as (keyboard, emulator):
        screen = TableScreen(TerminalLook(UNICODE, style_of("dark")), opening=Page.WORDS)
        screen.window.show(Snapshot(state_of("kanastic", 3), None, 0, chooses=False))
        with hands_on(screen.app, keyboard, emulator) as hands:
            check(f"words-{size}", hands.screen)
