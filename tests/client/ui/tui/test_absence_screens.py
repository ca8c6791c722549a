"""Screens of a table at which somebody stays away."""

from collections.abc import Mapping

import pytest
from attrs import evolve

from client.session.display.snapshot import Snapshot
from engine.sentences import Sentence
from protocol.errors import Exposed
from protocol.match.messages import NO_WISH, Wish, WishKind
from protocol.player import LOST_LOCK
from tests.client.ui.tui.golden import check, table_on
from tests.client.ui.tui.situations import (
    DORA,
    ENDING,
    IMPOSTOR,
    OPPONENT,
    alone,
    canasta,
    canasta_for_six,
    two_players,
    waiting,
)

_WISHES = (Wish(WishKind.END), NO_WISH, Wish(WishKind.OPPONENT), NO_WISH)

_CHEAT = Exposed(1, "R8", Sentence("Two entries of one height are signed."), ())

ABSENCES: Mapping[str, tuple[Snapshot, str]] = {
    "away-grace": (waiting(alone(1, 47, 73, linked=False)), ""),
    "away-over": (waiting(alone(1, 125, 0)), ""),
    "away-choices": (waiting(alone(1, 125, 0)), "w"),
    "away-proposed": (waiting(alone(1, 130, 0, proposed=OPPONENT)), ""),
    "away-proposals": (waiting(alone(1, 130, 0, proposed=OPPONENT, wishes=_WISHES)), "w"),
    "away-ending": (waiting(alone(1, 4000, 0, proposed=ENDING)), "wj"),
    "away-two": (
        waiting(alone(1, 130, 0, linked=False, missing=(1, 4), away=(1, 4)), canasta_for_six()),
        "w",
    ),
    "away-candidates": (waiting(alone(1, 130, 0, candidates=(DORA, IMPOSTOR))), "w"),
    "away-exposed": (
        evolve(waiting(alone(1, 3, 90, missing=(1,), exposed=(1,))), exposed=_CHEAT),
        "",
    ),
    "away-trouble": (evolve(waiting(alone(1, 150, 0)), trouble=LOST_LOCK), ""),
    "away-resting": (
        waiting(
            alone(1, 125, 0, linked=False, enough=False, missing=()), two_players(), "canastra"
        ),
        "",
    ),
    "away-resting-page": (
        waiting(
            alone(1, 125, 0, linked=False, enough=False, missing=()), two_players(), "canastra"
        ),
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
