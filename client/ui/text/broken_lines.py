"""Lines broken between words, where a terminal would break them in the middle of one."""

import re
import unicodedata
from collections.abc import Iterator

_WORD = re.compile(r"\s*\S+")
_WIDE = {"W", "F"}
_NO_WIDTH = {"Mn", "Me"}


def broken(text: str, columns: int) -> Iterator[str]:
    """The text, which is one line, in lines of at most so many columns, each begun as the first one
    is; blanks between words stay, and a word that has no room in any line stays whole.
    """
    indent = text[: len(text) - len(text.lstrip())]
    line = ""
    for word in _WORD.findall(text):
        if line.strip() and _width(line + word) > columns:
            yield line
            line = indent + word.lstrip()
        else:
            line += word
    yield line


def _width(text: str) -> int:
    """The columns that it takes."""
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(one) in _WIDE for one in text)
    return len(text) + wide - sum(unicodedata.category(one) in _NO_WIDTH for one in text)
