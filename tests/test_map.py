"""Paths in the documents for engineers: all exist, and every source folder is among them."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCUMENTS = ("BENCHMARKS.md", "CONTRIBUTING.md", "README.md", "spec/README.md", "tests/README.md")
INVENTED = "burraco"  # the game that CONTRIBUTING.md adds as an example
_PATH = re.compile(r"`((?:client|engine|p2p|protocol|spec|tests)/[\w./*-]+)`")


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_path_named_in_a_document_exists(document: str) -> None:
    named = _PATH.findall((ROOT / document).read_text("utf-8"))
    gone = [path for path in named if INVENTED not in path and not [*ROOT.glob(path.rstrip("/"))]]
    assert gone == []


def test_the_map_has_every_folder() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    folders = [path for layer in ("p2p", "client") for path in (ROOT / layer).iterdir()]
    for folder in [*folders, *(ROOT / "client/ui").iterdir()]:
        if folder.is_dir() and [*folder.rglob("*.py")]:
            inside = folder.relative_to(ROOT).as_posix()
            names = {f"`{inside}`", f"`{folder.name}`" if "ui" in inside else ""}
            assert any(name and name in text for name in names), inside
