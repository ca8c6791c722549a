"""Seeded matches, which go as they went when they were written down.

After a change that is intended, `python -m tests.playthroughs` writes them anew.
"""

import pytest

from engine.games import GAMES
from tests.playthroughs.playthrough import PLAYTHROUGHS, Playthrough


@pytest.mark.parametrize("playthrough", PLAYTHROUGHS, ids=lambda playthrough: playthrough.game)
def test_it_goes_as_written(playthrough: Playthrough) -> None:
    assert playthrough.text().splitlines() == playthrough.path.read_text("utf-8").splitlines()


def test_every_game_has_one() -> None:
    assert {playthrough.game for playthrough in PLAYTHROUGHS} == set(GAMES)
