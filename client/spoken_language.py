"""The language that the program speaks, found before anything else of it is loaded.

Every other setting is read by `client.settings`, which knows games and opponents.
"""

import os
import re

from client.i18n.language import LANGUAGES
from p2p.storage.data_path import find_data_path

AUTO = "auto"
"""The language of the system."""

SETTINGS_FILE = "settings.toml"
MOST_BYTES = 64 * 1024

_LINE = re.compile(rb"""^\s*["']?language["']?\s*=\s*["'](\w+)["']""", re.MULTILINE)
"""What a file of settings says of the language. To read it as TOML takes as long as to print the
help; whether the whole file can be used, `client.settings` tells.
"""


def spoken_language() -> str:
    """The language of the person's settings, one of LANGUAGES or AUTO; no folder is made for it,
    and what cannot be read says nothing.
    """
    try:
        path = os.path.join(find_data_path(), SETTINGS_FILE)
        if not os.path.isfile(path):  # at a pipe it would wait for ever
            return AUTO
        with open(path, "rb") as file:
            data = file.read(MOST_BYTES + 1)
    except (OSError, RuntimeError, ValueError):
        return AUTO
    line = _LINE.search(data) if len(data) <= MOST_BYTES else None
    language = line[1].decode() if line else AUTO
    return language if language in LANGUAGES else AUTO
