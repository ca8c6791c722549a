"""Texts in `spec/` that are generated from the program: they are up to date."""

from pathlib import Path

import pytest

from tests.spec_texts import TEXTS


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_generated_texts_are_up_to_date(path: Path) -> None:
    current = path.read_text(encoding="utf-8") == TEXTS[path]()
    assert current, f"{path.name} is not what is generated now: run python -m tests.spec_texts"
