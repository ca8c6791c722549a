"""Lines broken between words; a terminal by itself would break them inside words."""

import os
import re
import unicodedata
from collections.abc import Iterator
from typing import TextIO

_WORD = re.compile(r"\s*(?:(?<=: )sobremesa .*\S|`[^`]*`\S*|\S*sobremesa \S+|\S+)")
"""Pattern of a piece of text that is never broken.

A command with its arguments is one piece, so that it can be copied as one line.
"""
_WIDE = {"W", "F"}  # classes of Unicode for characters that take two columns
_NO_WIDTH = {"Mn", "Me"}  # categories of Unicode for marks on the character before


def fitted(text: str, stream: TextIO) -> str:
    """Break lines for a terminal; for any other stream return the text as it is."""
    try:
        columns = os.get_terminal_size(stream.fileno()).columns
    except (OSError, ValueError):  # the stream is no terminal, or not even a file
        columns = 0
    if not columns:
        return text
    return "\n".join(part for line in text.split("\n") for part in broken(line, columns))


def broken(text: str, columns: int) -> Iterator[str]:
    """Yield the pieces of one line of text, each of at most `columns` columns.

    All pieces have the indentation of the line. Blanks between words stay. A word or a command that
    is too long for a line stays whole.
    """
    indent = text[: len(text) - len(text.lstrip())]
    line = ""
    for word in _WORD.findall(text):
        if line.strip() and _width(line + word) > columns:
            yield line
            line = indent + word.lstrip()
        else:
            line += word
    yield line + text[len(text.rstrip()) :]


def _width(text: str) -> int:
    """Return the columns that the text takes in a terminal."""
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(character) in _WIDE for character in text)
    return (
        len(text) + wide - sum(unicodedata.category(character) in _NO_WIDTH for character in text)
    )
