"""Whole screens of the table, compared with files (`golden`), and what no scene can say."""

from collections.abc import Callable, Mapping

import pytest

from client.i18n.language import choose_language
from client.ui.model.pages import Page
from client.ui.tui.table.screen import TableScreen
from client.ui.tui.toolkit.glyphs import ASCII, UNICODE
from engine.turn import Step
from tests.client.plain_seat import snapshot_at
from tests.client.ui.tui.golden import SIZES, check, styled, table_on
from tests.client.ui.tui.situations import (
    DRAWING,
    LOG,
    RIGHT,
    canasta,
    canasta_asked,
    canasta_for_six,
    canasta_opening,
    canasta_playing,
    canastra,
    kanastic,
    kanastic_blocked,
)
from tests.engine.positions import Table, table_of

SIZED: Mapping[str, tuple[str, Callable[[], Table], str]] = {
    "canasta-draw": ("canasta", canasta, ""),
    "canasta-staged": ("canasta", canasta_playing, 5 * RIGHT + " " + RIGHT + " " + RIGHT + " m"),
    "kanastic-free": ("kanastic", kanastic, ""),
    "canastra-draw": ("canastra", canastra, ""),
}
"""One table of each game, and melds laid out, in windows of all sizes."""

SITUATIONS: Mapping[str, tuple[str, Callable[[], Table], str]] = {
    "canasta-selected": ("canasta", canasta_playing, " " + RIGHT + " " + 3 * RIGHT + " "),
    "canasta-opening": (
        "canasta",
        canasta_opening,
        7 * RIGHT + " " + RIGHT + " " + 2 * RIGHT + " m",
    ),
    "canasta-refused": ("canasta", canasta, "x"),
    "canasta-asked": ("canasta", canasta_asked, ""),
    "canasta-six": ("canasta", canasta_for_six, ""),
    "canasta-keys": ("canasta", canasta, "?"),
    "canasta-command": ("canasta", canasta_playing, ":disc"),
    "kanastic-blocked": ("kanastic", kanastic_blocked, "t"),
    "kanastic-cards": ("kanastic", kanastic, "k"),
}

"""Further situations."""


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", SIZED)
async def test_a_table_fills_small_and_large_windows(name: str, size: str) -> None:
    game, build, keys = SIZED[name]
    with table_on(snapshot_at(game, build(), log=LOG), *SIZES[size]) as (hands, _):
        hands.press(keys)
        check(f"{name}-{size}", styled(hands))


@pytest.mark.parametrize("name", SITUATIONS)
async def test_a_situation_looks_as_in_its_file(name: str) -> None:
    game, build, keys = SITUATIONS[name]
    with table_on(snapshot_at(game, build(), log=LOG)) as (hands, _):
        hands.press(keys)
        check(f"{name}-80x24", styled(hands))


@pytest.mark.parametrize(("language", "take"), [("es", "t"), ("pt", "p")])
async def test_a_table_speaks_the_language_of_the_person(language: str, take: str) -> None:
    choose_language(language)
    with table_on(snapshot_at("canasta", canasta_opening(), log=LOG)) as (hands, _):
        hands.press(take)
        check(f"canasta-{language}-80x24", hands.screen)


async def test_plain_ascii_shows_the_same_table() -> None:
    with table_on(snapshot_at("canasta", canasta(), log=LOG), glyphs=ASCII) as (hands, _):
        shown = hands.screen
        assert shown.isascii()
        check("canasta-ascii-80x24", shown)


async def test_a_long_hand_wraps_and_every_card_is_there() -> None:
    table = table_of("canasta", hands=["+35"], step=Step.PLAY)
    with table_on(snapshot_at("canasta", table)) as (hands, screen):
        shown = hands.screen
        hand = screen.window.controls.hand
        assert hand is not None
        for held in hand.cards:
            assert UNICODE.short_face(held.card) in shown
        check("canasta-long-hand-80x24", shown)


@pytest.mark.parametrize("size", SIZES.values())
async def test_stock_and_pile_never_move(size: tuple[int, int]) -> None:
    """The text about the pile changes its length, but must not move them."""
    places = set()
    for build in (canasta, canasta_opening, canasta_playing):
        with table_on(snapshot_at("canasta", build()), *size) as (hands, _):
            rows = enumerate(hands.screen.splitlines())
            places.add(next((row, line.find(BOTH)) for row, line in rows if BOTH in line))
    assert len(places) == 1


BOTH = "╭───╮ ╭────╮"
"""Upper edges of stock and pile."""


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
