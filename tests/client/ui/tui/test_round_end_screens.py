"""The pause after a round, and the end of a match."""

import pytest

from client.session.display.snapshot import AfterMatch
from tests.client.ui.tui.golden import SIZES, check, styled, table_on
from tests.client.ui.tui.round_ends import begun, over, playing
from tests.client.ui.tui.situations import counted_round

ESCAPE = "\x1b"


@pytest.mark.parametrize(("game", "players"), [("canasta", 4), ("kanastic", 3), ("canastra", 2)])
@pytest.mark.parametrize(("keys", "page"), [("", "sheet"), ("o", "hands"), ("f", "fair")])
async def test_after_a_round_its_sheet_lies_on_the_table(
    game: str, players: int, keys: str, page: str
) -> None:
    with table_on(counted_round(game, players)) as (hands, _):
        hands.press(keys)
        check(f"{game}-{page}-80x24", hands.screen)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("keys", "name"), [("", "pause"), (ESCAPE, "layout")])
async def test_a_pause_looks_as_in_its_file(keys: str, name: str, size: str) -> None:
    with table_on(playing(), *SIZES[size]) as (hands, screen):
        screen.window.show(begun())
        hands.press(keys)
        check(f"{name}-{size}", styled(hands))


@pytest.mark.parametrize("size", SIZES)
async def test_the_end_of_a_match_looks_as_in_its_file(size: str) -> None:
    with table_on(over(), *SIZES[size]) as (hands, screen):
        screen.window.controls.choices = (AfterMatch.AGAIN, AfterMatch.OTHER_SEATS)
        check(f"end-{size}", styled(hands))
