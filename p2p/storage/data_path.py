"""Where the data folder is, or would be. It loads next to nothing."""

import os

HOME_VARIABLE = "SOBREMESA_HOME"
"""The environment variable that names another data folder."""

JOURNAL_FILE = "journal.sqlite3"
"""What a folder of a node holds besides its identity."""


def find_data_path() -> str:
    """$SOBREMESA_HOME, or else where the system keeps the data of applications.

    Raises RuntimeError where neither $HOME nor the system's list of users knows a place.
    """
    named = os.environ.get(HOME_VARIABLE)
    if not named:
        from platformdirs import user_data_dir  # noqa: PLC0415 - it takes longer than all the rest

        named = user_data_dir("sobremesa", appauthor=False)
    path = os.path.expanduser(named)
    if path.startswith("~"):
        raise RuntimeError("could not determine home directory")
    return path
