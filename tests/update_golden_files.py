"""Command that writes all expected texts of tests anew: `python -m tests.update_golden_files`.

If all tests pass, it also removes files of screens that no test has drawn. Read the difference
before you commit it.
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
"""Pattern of the import that every test file has if it can write its expected texts."""


def main() -> int:
    """Draw the screens, and return pytest's exit code."""
    for path in FOLDER.glob("*.txt"):
        os.utime(path, (0, 0))  # a test that draws the file gives it a new time
    os.environ[DRAW_ANEW] = "1"
    code = pytest.main(["-q", *map(str, files_that_write())])
    if code == 0:
        for path in FOLDER.glob("*.txt"):
            if path.stat().st_mtime == 0:
                path.unlink()
    return int(code)


def files_that_write() -> list[Path]:
    """Return the test files that write what they compare, if they are told to."""
    found = sorted(FOLDER.parents[3].rglob("test_*.py"))
    return [path for path in found if _WRITES.search(path.read_text("utf-8"))]


if __name__ == "__main__":
    sys.exit(main())
