"""Short names for bots, none of them like the name of a player at the table.

A bot's name identifies nobody, and no node remembers it. So another player's bot may have the same
name on another evening.
"""

from collections.abc import Collection
from itertools import chain, count

from protocol.names import look_alike

_TITLE = "Robot "

_NAMES = ("Ada", "Ben", "Cleo", "Dora", "Emil", "Fay", "Gus", "Hugo", "Iris", "Kim", "Leo", "Mia")


def bot_name(taken: Collection[str]) -> str:
    """Return a bot's name that nobody could take for one of the names `taken`."""
    # After the twelve names come Robot 2, Robot 3 and so on.
    for name in chain(_NAMES, map(str, count(2))):
        full = f"{_TITLE}{name}"
        if not any(look_alike(other, full) or look_alike(other, name) for other in taken):
            return full
    raise AssertionError("numbers never end")


def is_bot_name(name: str) -> bool:
    """Return True if `name` has the form of a bot's name."""
    return name.startswith(_TITLE)
