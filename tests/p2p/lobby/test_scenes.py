"""All scenes in lobbies: each event has the effects in the file (`tests/p2p/lobby/scene.py`)."""

from pathlib import Path

import pytest

from tests.p2p.lobby.scene import FILES, scenes, written

pytestmark = pytest.mark.usefixtures("autojump_clock", "on_memory")

SCENES = {f"{path.stem}-{n}": one for path in FILES for n, one in enumerate(scenes(path))}


@pytest.mark.parametrize("scene", SCENES.values(), ids=SCENES)
async def test_each_event_of_a_scene_has_the_effects_in_the_file(
    scene: str, tmp_path: Path
) -> None:
    assert await written(scene, tmp_path) == scene
