"""Whole screens of a lobby, and its keys."""

import pytest

from client.i18n.language import choose_language
from client.session.display.snapshot import Snapshot
from client.ui.model.pages import Page
from tests.client.plain_seat import state_of
from tests.client.ui.tui.golden import check, styled, table_on
from tests.client.ui.tui.lobby_situations import SITUATIONS, lobby_on

SIZES = {"80x24": (80, 24), "120x40": (120, 40)}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", SITUATIONS)
async def test_lobby_screens_match_their_files(name: str, size: str) -> None:
    with lobby_on(SITUATIONS[name], *SIZES[size]) as (hands, _):
        check(f"{name}-{size}", styled(hands) if size == "80x24" else hands.screen)


@pytest.mark.parametrize("language", ["es", "pt"])
async def test_a_lobby_is_translated(language: str) -> None:
    choose_language(language)
    with lobby_on(SITUATIONS["lobby-host"]) as (hands, _):
        check(f"lobby-{language}-80x24", hands.screen)


@pytest.mark.parametrize("size", SIZES)
async def test_the_page_of_words_matches_its_file(size: str) -> None:
    signed = Snapshot(state_of("kanastic", 3), None, 0, chooses=False)
    with table_on(signed, *SIZES[size], opening=Page.WORDS) as (hands, _):
        check(f"words-{size}", hands.screen)
