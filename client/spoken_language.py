"""The language of the program, found before any other part of it is imported.

Every other setting is read by `client.settings`, which knows games and opponents.
"""

import os

from client.i18n.language import LANGUAGES
from client.settings_text import values_of
from p2p.storage.data_path import find_data_path

AUTO = "auto"
"""The language of the system."""

SETTINGS_FILE = "settings.toml"
MOST_BYTES = 64 * 1024


def spoken_language() -> str:
    """Return the language of the person's settings, one of LANGUAGES or AUTO.

    No folder is made for it, and a file that cannot be read is ignored.
    """
    try:
        path = os.path.join(find_data_path(), SETTINGS_FILE)
        if not os.path.isfile(path):  # at a pipe it would wait for ever
            return AUTO
        with open(path, "rb") as file:
            data = file.read(MOST_BYTES + 1)
        language = values_of(data).get("language") if len(data) <= MOST_BYTES else AUTO
    except (OSError, RuntimeError, ValueError):  # of which RecursionError is one
        return AUTO
    return language if isinstance(language, str) and language in LANGUAGES else AUTO
