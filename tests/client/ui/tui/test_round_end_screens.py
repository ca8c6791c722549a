"""Screens of the pause after a round, and after a match."""

import pytest

from client.ui.model.pages import Page
from engine.turn import Step
from tests.client.plain_seat import snapshot_at
from tests.client.ui.tui.golden import check, table_on
from tests.client.ui.tui.situations import (
    counted_round,
)
from tests.engine.positions import table_of


@pytest.mark.parametrize(("game", "players"), [("canasta", 4), ("kanastic", 3), ("canastra", 2)])
@pytest.mark.parametrize(("keys", "page"), [("", "sheet"), ("o", "hands"), ("f", "fair")])
async def test_after_a_round_its_sheet_lies_on_the_table(
    game: str, players: int, keys: str, page: str
) -> None:
    with table_on(counted_round(game, players)) as (hands, screen):
        assert screen.window.page is Page.SHEET
        hands.press(keys)
        check(f"{game}-{page}-80x24", hands.screen)


async def test_a_key_that_the_footer_has_serves_while_the_sheet_is_open() -> None:
    table = table_of("canasta", stock="+100", step=Step.CUT)
    with table_on(snapshot_at("canasta", table)) as (hands, screen):
        sent: list[object] = []
        screen.window.controls.send = lambda *moves: sent.extend(moves)
        hands.press("v")
        assert screen.window.page is Page.SHEET
        hands.press("c")
        assert screen.window.page is None
        assert len(sent) == 1
