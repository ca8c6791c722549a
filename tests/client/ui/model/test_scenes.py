"""Scenes at a table, compared with what comes of each event."""

import os
from pathlib import Path

import pytest

from tests.client.ui.model.scene import played
from tests.client.ui.tui.golden import DRAW_ANEW

FOLDER = Path(__file__).parent / "scenes"


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.txt")), ids=lambda path: path.stem)
def test_scenes_go_as_written(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    now = played(text)
    if os.environ.get(DRAW_ANEW):
        path.write_text(now, encoding="utf-8")
    else:
        assert now == text
