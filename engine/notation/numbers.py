"""Numbers in lines of text."""

import re
from collections.abc import Iterable

from engine.errors import NotationError
from engine.sentences import Sentence

_NUMBER = re.compile(r"-?[0-9]{1,8}", re.ASCII)


def read_number(words: Iterable[str], low: int, high: int, what: Sentence) -> int:
    """The one number that the words are, within these bounds. Raises NotationError for `what`."""
    given = tuple(words)
    text = given[0] if len(given) == 1 else ""
    if not _NUMBER.fullmatch(text) or not low <= int(text) <= high:
        raise NotationError(
            "For {what}, give one number from {low} to {high}.", what=what, low=low, high=high
        )
    return int(text)
