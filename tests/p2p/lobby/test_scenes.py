"""All scenes in lobbies: each has the effects of its events (`tests/p2p/lobby/scene.py`)."""

from pathlib import Path

import pytest

from tests.p2p.lobby.scene import FILES, scenes, written

pytestmark = pytest.mark.usefixtures("autojump_clock", "on_memory")

SCENES = {f"{path.stem}-{n}": one for path in FILES for n, one in enumerate(scenes(path))}


@pytest.mark.parametrize("scene", SCENES.values(), ids=SCENES)
async def test_scenes_match_the_effects_of_their_events(scene: str, tmp_path: Path) -> None:
    assert await written(scene, tmp_path) == scene
