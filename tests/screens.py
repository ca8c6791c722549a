"""Command that writes anew all texts with which tests compare: `python -m tests.screens`.

It also removes files of screens that no test draws. Read the difference before you commit it.
"""

import os
import sys

import pytest

from tests.client.ui.tui.golden import DRAW_ANEW, FOLDER


def main() -> int:
    """Draw the screens, and return pytest's exit code."""
    for path in FOLDER.glob("*.txt"):
        path.unlink()
    os.environ[DRAW_ANEW] = "1"
    wanted = "screens or scenes or report_texts or in_their_file"
    return pytest.main(["-q", "-k", wanted, str(FOLDER.parents[2])])


if __name__ == "__main__":
    sys.exit(main())
