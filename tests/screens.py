"""`python -m tests.screens`: draws all screens that tests compare anew, and removes those of
nobody. Read the difference before it is committed.
"""

import os
import sys

import pytest

from tests.client.ui.tui.golden import DRAW_ANEW, FOLDER


def main() -> int:
    """Raises nothing; gives pytest's exit code."""
    for path in FOLDER.glob("*.txt"):
        path.unlink()
    os.environ[DRAW_ANEW] = "1"
    return pytest.main(["-q", "-k", "screens", str(FOLDER.parent)])


if __name__ == "__main__":
    sys.exit(main())
