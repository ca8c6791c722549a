"""The line that is typed at the table, and the menu of its completions."""

import pytest

from engine.turn import Step
from tests.client.plain_seat import snapshot_at
from tests.client.terminals import Hands
from tests.client.ui.tui.golden import table_on
from tests.engine.positions import table_of

PLAYING = table_of("canasta", hands=["7h 7d Kc Ks Kh 9c"], melds=[["9h 9d 9s"]], step=Step.PLAY)


def click_on(hands: Hands, text: str) -> str:
    """Return the bytes of a terminal for a click there: the button goes down and up."""
    lines = hands.screen.splitlines()
    rows = [row for row, line in enumerate(lines, start=1) if f" {text}" in line]
    assert len(rows) == 1, hands.screen
    place = f"{lines[rows[0] - 1].index(text) + 1};{rows[0]}"
    return f"\x1b[<0;{place}M\x1b[<0;{place}m"


def typed(hands: Hands) -> str:
    return hands.screen.splitlines()[-1]


async def test_a_click_on_a_completion_types_it() -> None:
    with table_on(snapshot_at("canasta", PLAYING)) as (hands, screen):
        hands.press(":d")
        hands.press(click_on(hands, "discard Kc"))
        assert typed(hands) == ":discard Kc"
        assert screen.window.command_open


@pytest.mark.parametrize("before", ["a click", "Escape", "a letter"])
async def test_a_click_on_completions_that_are_gone_means_nothing(before: str) -> None:
    """The click comes together with the keys, so the screen still shows the completions."""
    with table_on(snapshot_at("canasta", PLAYING)) as (hands, screen):
        hands.press(":d")
        click = click_on(hands, "discard Kc")
        first, line = {
            "a click": (click, ":discard Kc"),
            "Escape": ("\x1b", ""),
            "a letter": ("x", ":dx"),
        }[before]
        hands.press(first + click)
        assert screen.window.command_open == bool(line)
        assert not line or typed(hands) == line
