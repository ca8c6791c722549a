"""The path of the data folder. This module loads fast, because it imports almost nothing."""

import os
import sys

HOME_VARIABLE = "SOBREMESA_HOME"
"""The environment variable by which people choose another data folder."""

JOURNAL_FILE = "journal.sqlite3"
"""The name of the journal in a node's folder."""


def find_data_path() -> str:
    """Return $SOBREMESA_HOME, or if it is not set, the system's folder for application data.

    Raises RuntimeError if neither $HOME nor the system's list of users gives a home folder.
    """
    named = os.environ.get(HOME_VARIABLE)
    if not named and _is_usual():
        named = os.path.expanduser("~/.local/share/sobremesa")
    if not named:
        from platformdirs import user_data_dir  # noqa: PLC0415 - it takes longer than all the rest

        named = user_data_dir("sobremesa", appauthor=False)
    path = os.path.expanduser(named)
    if path.startswith("~"):
        raise RuntimeError("could not determine home directory")
    return path


def _is_usual() -> bool:
    """Return True if the folder is known without platformdirs.

    Importing platformdirs takes as long as printing the help. The folder is known on Linux with an
    absolute $HOME, unless $XDG_DATA_HOME is set (XDG Base Directory Specification).
    """
    is_linux = sys.platform == "linux" and not hasattr(sys, "getandroidapilevel")
    at_home = os.path.isabs(os.environ.get("HOME", ""))
    return is_linux and at_home and not {"ANDROID_DATA", "XDG_DATA_HOME"} & os.environ.keys()
