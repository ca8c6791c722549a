"""The path of the data folder. This module loads next to nothing."""

import os
import sys

HOME_VARIABLE = "SOBREMESA_HOME"
"""The environment variable that names another data folder."""

JOURNAL_FILE = "journal.sqlite3"
"""The files that a node's folder holds besides its identity."""


def find_data_path() -> str:
    """Return $SOBREMESA_HOME, or else the folder where the system keeps data of applications.

    Raises RuntimeError where neither $HOME nor the system's list of users knows a place.
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
    """Return True if the folder is known without the library.

    That takes as long to load as it takes to print the help. It is so on Linux, where nobody has
    named another place (XDG Base Directory Specification).
    """
    is_linux = sys.platform == "linux" and not hasattr(sys, "getandroidapilevel")
    at_home = os.path.isabs(os.environ.get("HOME", ""))
    return is_linux and at_home and not {"ANDROID_DATA", "XDG_DATA_HOME"} & os.environ.keys()
