"""Whole screens of the table, compared with files (`golden.py`)."""

from collections.abc import Mapping
from typing import Any

import pytest
from attrs import evolve

from client.i18n.language import choose_language
from client.session.display.snapshot import AfterMatch, Snapshot
from client.ui.model.pages import Page
from client.ui.tui.table.screen import TableScreen
from client.ui.tui.toolkit.glyphs import ASCII, UNICODE
from engine.sentences import Sentence
from engine.turn import Step
from protocol.errors import Exposed
from protocol.match.messages import NO_WISH, Wish, WishKind
from protocol.player import LOST_LOCK
from tests.client.plain_seat import snapshot_at
from tests.client.ui.tui.golden import SIZES, check, styled, table_on
from tests.client.ui.tui.round_ends import begun, over, playing
from tests.client.ui.tui.situations import (
    DORA,
    DRAWING,
    ENDING,
    IMPOSTOR,
    OPPONENT,
    RIGHT,
    alone,
    at,
    counted_round,
    table,
    waiting,
)
from tests.engine.positions import table_of


def away(silent: int = 130, **more: Any) -> Snapshot:
    """Return a table that has waited for Bruno, usually longer than the grace."""
    return waiting(alone(1, silent, 0, **more))


SIZED: Mapping[str, tuple[str, str]] = {
    "canasta-draw": ("canasta", ""),
    "canasta-staged": ("canasta playing", 5 * RIGHT + 2 * (" " + RIGHT) + " m"),
    "kanastic-free": ("kanastic", ""),
    "canastra-draw": ("canastra", ""),
}
"""Four tables, of three games, shown in windows of all sizes, each with the keys pressed at it.

At `canasta-staged` melds are laid out, but not sent yet.
"""

_WISHES = (Wish(WishKind.END), NO_WISH, Wish(WishKind.OPPONENT), NO_WISH)
_CHEAT = Exposed(1, "R8", Sentence("Two entries of one height are signed."), ())
_TWO = alone(1, 130, 0, linked=False, missing=(1, 4), away=(1, 4))
_RESTING = waiting(
    alone(1, 125, 0, linked=False, enough=False, missing=()), table("canastra of two")
)

SITUATIONS: Mapping[str, tuple[Snapshot, str]] = {
    "canasta-selected": (at("canasta playing"), f" {RIGHT} {3 * RIGHT} "),
    "canasta-opening": (at("canasta opening"), f"{7 * RIGHT} {RIGHT} {2 * RIGHT} m"),
    "canasta-refused": (at("canasta"), "x"),
    "canasta-asked": (at("canasta asked"), ""),
    "canasta-six": (at("canasta of six"), ""),
    "canasta-keys": (at("canasta"), "?"),
    "canasta-command": (at("canasta playing"), ":disc"),
    "kanastic-blocked": (at("kanastic blocked"), "t"),
    "kanastic-cards": (at("kanastic"), "k"),
    "away-grace": (waiting(alone(1, 47, 73, linked=False)), ""),
    "away-over": (away(), ""),
    "away-choices": (away(), "w"),
    "away-proposed": (away(proposed=OPPONENT), ""),
    "away-proposals": (away(proposed=OPPONENT, wishes=_WISHES), "w"),
    "away-ending": (away(4000, proposed=ENDING), "wj"),
    "away-two": (waiting(_TWO, table("canasta of six")), "w"),
    "away-candidates": (away(candidates=(DORA, IMPOSTOR)), "w"),
    "away-exposed": (
        evolve(waiting(alone(1, 3, 90, missing=(1,), exposed=(1,))), exposed=_CHEAT),
        "",
    ),
    "away-trouble": (evolve(away(), trouble=LOST_LOCK), ""),
    "away-resting": (_RESTING, ""),
    "away-resting-page": (_RESTING, "w"),
    "away-self": (waiting(alone(0, 70, 50), table("canasta")), ""),
}
"""Further situations, in play and when a player stays away, with the keys pressed there."""


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", SIZED)
async def test_table_screens_of_all_sizes_match_their_files(name: str, size: str) -> None:
    shown, keys = SIZED[name]
    with table_on(at(shown), *SIZES[size]) as (hands, _):
        hands.press(keys)
        check(f"{name}-{size}", styled(hands))


@pytest.mark.parametrize("name", SITUATIONS)
async def test_situations_match_their_files(name: str) -> None:
    shown, keys = SITUATIONS[name]
    with table_on(shown) as (hands, _):
        hands.press(keys)
        check(f"{name}-80x24", styled(hands))


@pytest.mark.parametrize(("keys", "page"), [("", "sheet"), ("o", "hands"), ("f", "fair")])
@pytest.mark.parametrize(("game", "players"), [("canasta", 4), ("kanastic", 3), ("canastra", 2)])
async def test_pages_after_a_round_match_their_files(
    game: str, players: int, keys: str, page: str
) -> None:
    with table_on(counted_round(game, players)) as (hands, _):
        hands.press(keys)
        check(f"{game}-{page}-80x24", styled(hands))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("keys", "name"), [("", "pause"), ("\x1b", "layout")])
async def test_pauses_match_their_files(keys: str, name: str, size: str) -> None:
    """After a round the score sheet lies over the table. Escape closes it."""
    with table_on(playing(), *SIZES[size]) as (hands, screen):
        screen.window.show(begun())
        hands.press(keys)
        check(f"{name}-{size}", styled(hands))


@pytest.mark.parametrize("size", SIZES)
async def test_the_end_of_a_match_matches_its_file(size: str) -> None:
    with table_on(over(), *SIZES[size]) as (hands, screen):
        screen.window.controls.choices = (AfterMatch.AGAIN, AfterMatch.OTHER_SEATS)
        check(f"end-{size}", styled(hands))


@pytest.mark.parametrize(("language", "take"), [("es", "t"), ("pt", "p")])
async def test_a_table_is_translated(language: str, take: str) -> None:
    choose_language(language)
    with table_on(at("canasta opening")) as (
        hands,
        _,
    ):
        hands.press(take)
        check(f"canasta-{language}-80x24", hands.screen)


async def test_plain_ascii_shows_the_same_table() -> None:
    with table_on(at("canasta"), glyphs=ASCII) as (
        hands,
        _,
    ):
        shown = hands.screen
        assert shown.isascii()
        check("canasta-ascii-80x24", shown)


async def test_a_long_hand_wraps_and_shows_every_card() -> None:
    table = table_of("canasta", hands=["+35"], step=Step.PLAY)
    with table_on(snapshot_at("canasta", table)) as (hands, screen):
        shown = hands.screen
        hand = screen.window.controls.hand
        assert hand is not None
        for held in hand.cards:
            assert UNICODE.short_face(held.card) in shown
        check("canasta-long-hand-80x24", shown)


@pytest.mark.parametrize("size", SIZES.values())
async def test_stock_and_pile_keep_their_place_on_the_screen(size: tuple[int, int]) -> None:
    """The text about the pile changes its length, but must not move the stock and the pile."""
    places = set()
    for name in ("canasta", "canasta opening", "canasta playing"):
        with table_on(at(name), *size) as (hands, _):
            rows = enumerate(hands.screen.splitlines())
            places.add(next((row, line.find(BOTH)) for row, line in rows if BOTH in line))
    assert len(places) == 1


BOTH = "╭───╮ ╭────╮"
"""Upper edges of stock and pile."""


async def test_the_log_opens_at_its_newest_line() -> None:
    log = tuple(f"Ana: discards {number}" for number in range(60))
    with table_on(snapshot_at("canasta", DRAWING, log=log)) as (hands, _):
        hands.press("l")
        assert "discards 59" in hands.screen
        assert "discards 20" not in hands.screen
        hands.press("\x1b[5~" * 6)
        assert "discards 0" in hands.screen


@pytest.mark.parametrize("page", [Page.KEYS, Page.SHEET])
async def test_every_key_in_the_footer_works_while_a_page_is_open(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    with table_on(snapshot_at("canasta", DRAWING)) as (_, screen):
        assert screen.app.mouse_support()
        offered = [command.key for command in screen.window.offered]
    assert ":" in offered
    monkeypatch.setattr(TableScreen, "_think", lambda *_: None)
    for key in offered:
        with table_on(snapshot_at("canasta", DRAWING)) as (hands, screen):
            screen.window.open_page(page)
            hands.press({"Enter": "\r", "F1": "\x1bOP"}.get(key, key))
            moved_on = screen.window.page is not page or screen.window.command_open
            assert moved_on or (key, page) == ("?", Page.KEYS), key
