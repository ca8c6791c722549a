"""Texts in `spec/` that are generated from the program: they are up to date."""

from pathlib import Path

import pytest

from tests.spec_texts import TEXTS


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_text_is_as_the_program_has_it(path: Path) -> None:
    current = path.read_text(encoding="utf-8") == TEXTS[path]()
    assert current, f"{path.name} is not as the program has it: run python -m tests.spec_texts"
