"""The language of the program, found before any other part of the program is imported.

`client.settings` reads all settings, but takes longer to import. So this module reads the language.
"""

import os

from client.i18n.language import LANGUAGES
from client.settings_parser import values_of
from p2p.storage.data_path import find_data_path

AUTO = "auto"
"""Value of the language setting that stands for the language of the system."""

SETTINGS_FILE = "settings.toml"
MOST_BYTES = 64 * 1024


def configured_language() -> str:
    """Return the language in the person's settings, one of LANGUAGES or AUTO.

    Create no folder, and ignore a file that cannot be read.
    """
    try:
        path = os.path.join(find_data_path(), SETTINGS_FILE)
        if not os.path.isfile(path):  # reading a named pipe would block for ever
            return AUTO
        with open(path, "rb") as file:
            data = file.read(MOST_BYTES + 1)
        language = values_of(data).get("language") if len(data) <= MOST_BYTES else AUTO
    except (OSError, RuntimeError, ValueError):  # a RecursionError is a RuntimeError
        return AUTO
    return language if isinstance(language, str) and language in LANGUAGES else AUTO
