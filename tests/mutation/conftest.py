"""A small project, for tests of the mutation runner."""

from pathlib import Path

import pytest

from tests.mutation import results, switchboard

SOURCE = "def judge(a, b):\n    return a < b and a > 3\n"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write a project with one file of code and two files of tests."""
    for module in (switchboard, results):
        monkeypatch.setattr(module, "ROOT", tmp_path)
    (tmp_path / "code.py").write_text(SOURCE)
    (tmp_path / "test_one.py").write_text("1")
    (tmp_path / "test_two.py").write_text("2")
    return tmp_path
