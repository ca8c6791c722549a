"""Scenes at a table and in a lobby: each event must have the results in the file."""

import os
from pathlib import Path

import pytest

from tests.client.ui.lobby_scene import in_lines, in_lobby
from tests.client.ui.model.scene import Begin, at_controls, played
from tests.client.ui.tui.golden import DRAW_ANEW
from tests.client.ui.tui.scene import on_screen

HERE = Path(__file__).parent
KINDS: tuple[tuple[str, Begin], ...] = (
    ("model", at_controls),
    ("tui", on_screen),
    ("linear", in_lines),
    ("tui/lobby", in_lobby),
)
SCENES = {
    f"{path.parent.parent.name}-{path.stem}": (path, begin)
    for folder, begin in KINDS
    for path in sorted((HERE / folder).glob("scenes/*.txt"))
}


@pytest.mark.parametrize("name", SCENES)
async def test_scenes_match_their_files(name: str) -> None:
    path, begin = SCENES[name]
    text = path.read_text(encoding="utf-8")
    now = await played(text, begin)
    if os.environ.get(DRAW_ANEW):
        path.write_text(now, encoding="utf-8")
    else:
        assert now == text
