"""Scenes at a table, compared with what comes of each event."""

import os
from pathlib import Path

import pytest

from tests.client.ui.model.scene import at_controls, played
from tests.client.ui.tui.golden import DRAW_ANEW
from tests.client.ui.tui.scene import on_screen

HERE = Path(__file__).parent
SCENES = sorted(HERE.glob("model/scenes/*.txt"))
ON_SCREEN = sorted(HERE.glob("tui/scenes/*.txt"))


@pytest.mark.parametrize("path", [*SCENES, *ON_SCREEN], ids=lambda path: path.stem)
async def test_scenes_go_as_written(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    now = played(text, at_controls if path in SCENES else on_screen)
    if os.environ.get(DRAW_ANEW):
        path.write_text(now, encoding="utf-8")
    else:
        assert now == text
