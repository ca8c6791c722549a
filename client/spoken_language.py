"""The language that the program speaks, found before anything else of it is loaded.

Every other setting is read by `client.settings`, which knows games and opponents.
"""

import os

from client.i18n.language import LANGUAGES
from p2p.storage.data_path import find_data_path

AUTO = "auto"
"""The language of the system."""

SETTINGS_FILE = "settings.toml"
MOST_BYTES = 64 * 1024


def spoken_language() -> str:
    """The language of the person's settings, one of LANGUAGES or AUTO; no folder is made for it,
    and what cannot be read says nothing.
    """
    try:
        with open(os.path.join(find_data_path(), SETTINGS_FILE), "rb") as file:
            data = file.read(MOST_BYTES + 1)
    except (OSError, RuntimeError, ValueError):
        return AUTO
    if len(data) > MOST_BYTES:
        return AUTO
    import tomllib  # noqa: PLC0415 - only for who has settings

    try:
        language = tomllib.loads(data.decode()).get("language")
    except ValueError:
        return AUTO
    return language if isinstance(language, str) and language in LANGUAGES else AUTO
