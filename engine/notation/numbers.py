"""Numbers in lines of the notation."""

import re
from collections.abc import Iterable

from engine.errors import NotationError
from engine.sentences import Sentence

_NUMBER = re.compile(r"-?[0-9]{1,8}", re.ASCII)


def read_number(words: Iterable[str], low: int, high: int, what: Sentence) -> int:
    """Return the number in `words`, or raise NotationError.

    There must be one word, and its number must be from `low` to `high`. The error calls the number
    `what`.

    >>> read_number(["4"], 2, 6, Sentence("the players"))
    4
    """
    given = tuple(words)
    text = given[0] if len(given) == 1 else ""
    if not _NUMBER.fullmatch(text) or not low <= int(text) <= high:
        raise NotationError(
            "For {what}, give one number from {low} to {high}.", what=what, low=low, high=high
        )
    return int(text)
