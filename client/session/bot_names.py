"""Names of bots: short ones, that no player at the table has.

Names of bots are nobody's, and remembered of nobody: a bot of one player may be called as one of
another was yesterday.
"""

from collections.abc import Collection
from itertools import chain, count

from protocol.names import look_alike

_TITLE = "Robot "

_NAMES = ("Ada", "Ben", "Cleo", "Dora", "Emil", "Fay", "Gus", "Hugo", "Iris", "Kim", "Leo", "Mia")


def bot_name(taken: Collection[str]) -> str:
    """Return a name that none of the players with the names `taken` could be confused with."""
    for name in chain(_NAMES, map(str, count(2))):
        full = f"{_TITLE}{name}"
        if not any(look_alike(other, full) or look_alike(other, name) for other in taken):
            return full
    raise AssertionError("numbers never end")


def is_bot_name(name: str) -> bool:
    """Return True if bots have names like this."""
    return name.startswith(_TITLE)
