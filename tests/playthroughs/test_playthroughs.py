"""Seeded matches, whose moves must be the same as in their files.

After an intended change, `python -m tests.playthroughs` writes them anew.
"""

import pytest

from tests.playthroughs.__main__ import PLAYTHROUGHS, Playthrough


@pytest.mark.parametrize("playthrough", PLAYTHROUGHS, ids=lambda playthrough: playthrough.game)
def test_playthroughs_match_their_files(playthrough: Playthrough) -> None:
    path = playthrough.path
    assert path.exists(), "a new game has no playthrough yet: run python -m tests.playthroughs"
    assert playthrough.text().splitlines() == path.read_text("utf-8").splitlines()
