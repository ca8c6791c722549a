"""Screens of a table at which somebody stays away."""

from collections.abc import Mapping

import pytest
from attrs import evolve

from client.session.display.snapshot import LogLine, Snapshot
from protocol.player import LOST_LOCK
from tests.client.ui.tui.golden import check, notice, table_on
from tests.client.ui.tui.situations import (
    DORA,
    IMPOSTOR,
    PROPOSED,
    alone,
    canasta,
    canasta_for_six,
    two_players,
    waiting,
)

ABSENCES: Mapping[str, tuple[Snapshot, str]] = {
    "away-grace": (waiting(alone(1, 47, 73, linked=False)), ""),
    "away-over": (waiting(alone(1, 125, 0)), ""),
    "away-choices": (waiting(alone(1, 125, 0)), "w"),
    "away-proposed": (waiting(alone(1, 130, 0, proposals=PROPOSED)), ""),
    "away-proposals": (waiting(alone(1, 130, 0, proposals=PROPOSED)), "w"),
    "away-agreed": (waiting(alone(1, 4000, 0, proposals=PROPOSED, agreed=True)), "w"),
    "away-two": (
        waiting(alone(1, 130, 0, linked=False, groups=((1,), (1, 4))), canasta_for_six()),
        "w",
    ),
    "away-candidates": (waiting(alone(1, 130, 0, candidates=(DORA, IMPOSTOR))), "w"),
    "away-invited": (waiting(alone(1, 150, 0, candidates=(DORA,), invited=DORA)), ""),
    "away-trouble": (evolve(waiting(alone(1, 150, 0)), trouble=LOST_LOCK), ""),
    "away-resting": (
        waiting(alone(1, 125, 0, linked=False, groups=()), two_players(), "canastra"),
        "",
    ),
    "away-resting-page": (
        waiting(alone(1, 125, 0, linked=False, groups=()), two_players(), "canastra"),
        "w",
    ),
    "away-self": (evolve(waiting(alone(0, 70, 50), canasta())), ""),
}


@pytest.mark.parametrize("name", ABSENCES)
async def test_whom_the_table_waits_for_is_told(name: str) -> None:
    snapshot, keys = ABSENCES[name]
    with table_on(snapshot) as (hands, _):
        hands.press(keys)
        check(f"{name}-80x24", hands.screen)


async def test_it_is_told_once_that_somebody_has_left() -> None:
    """It is told in the line about the awaited player; the other messages stay."""
    gone = LogLine("has left the table", "Bruno", aside=True)
    thanks = LogLine("says “Thank you!”", "Carla", aside=True)
    for line, told in ((gone, ""), (thanks, "Carla says “Thank you!”")):
        waits = waiting(alone(1, 3, 73, linked=False, left=True))
        with table_on(evolve(waits, absence=None)) as (_, screen):
            screen.window.show(evolve(waits, log=(*waits.log, line), said=waits.said + 1))
            view = screen.window.view
            assert view is not None
            assert "Bruno has left the table." in view.awaited
            assert notice(screen) == told
