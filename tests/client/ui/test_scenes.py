"""Scenes at a table and in a lobby: each event must have the results in the file."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.client.ui.lobby_scene import in_lines, in_lobby
from tests.client.ui.model.scene import Begin, Script, at_controls, played, scripts
from tests.client.ui.tui.golden import DRAW_ANEW
from tests.client.ui.tui.scene import on_screen

HERE = Path(__file__).parent
KINDS: tuple[tuple[str, Begin], ...] = (
    ("model", at_controls),
    ("tui", on_screen),
    ("linear", in_lines),
    ("tui/lobby", in_lobby),
)
WRITES = bool(os.environ.get(DRAW_ANEW))
"""True if the files are written instead of compared."""


def cases() -> Iterator[tuple[str, tuple[Path, Begin, str, Sequence[Script]]]]:
    """Yield each scene by itself, under its title.

    If the files are written, yield all scenes of a file together.
    """
    for folder, begin in KINDS:
        for path in sorted((HERE / folder).glob("scenes/*.txt")):
            about, scenes = scripts(path.read_text(encoding="utf-8"))
            name = f"{path.parent.parent.name}-{path.stem}"
            if WRITES:
                yield name, (path, begin, about, scenes)
            else:
                yield from ((f"{name} {one.title}", (path, begin, about, [one])) for one in scenes)


CASES = dict(cases())


@pytest.mark.parametrize("name", CASES)
async def test_scenes_match_their_files(name: str) -> None:
    path, begin, about, scenes = CASES[name]
    now = [await played(scene, begin) for scene in scenes]
    if WRITES:
        path.write_text("\n\n".join([about, *now]) + "\n", encoding="utf-8")
    else:
        assert now == [scene.text for scene in scenes]
