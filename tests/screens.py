"""Command that writes all expected texts of tests anew: `python -m tests.screens`.

It also removes files of screens that no test draws. Read the difference before you commit it.
"""

import os
import re
import sys
from pathlib import Path

import pytest

from tests.client.ui.tui.golden import DRAW_ANEW, FOLDER

_WRITES = re.compile(
    r"^from tests\.client\.ui\.tui\.golden import .*\b(check|check_file|DRAW_ANEW)\b", re.M
)
"""Pattern of the import by which a test file can write. Names of tests change too easily."""


def main() -> int:
    """Draw the screens, and return pytest's exit code."""
    for path in FOLDER.glob("*.txt"):
        path.unlink()
    os.environ[DRAW_ANEW] = "1"
    return pytest.main(["-q", *map(str, files_that_write())])


def files_that_write() -> list[Path]:
    """Return the test files that write what they compare, if they are told to."""
    found = sorted(FOLDER.parents[2].rglob("test_*.py"))
    return [path for path in found if _WRITES.search(path.read_text("utf-8"))]


if __name__ == "__main__":
    sys.exit(main())
