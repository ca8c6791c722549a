"""Text that moves no cursor: what strangers have named, a file too, is printed beside our words."""

import unicodedata

_OBEYED = ("Cc", "Cf", "Cs", "Zl", "Zp")
"""Categories of Unicode that a terminal obeys or that turn a line around, or end it."""


def plain(text: str) -> str:
    """The text with question marks for what a terminal would obey, ends of lines too, but tabs."""
    if text.isprintable():
        return text
    return "".join(
        "?" if unicodedata.category(one) in _OBEYED and one != "\t" else one for one in text
    )


def plain_lines(text: str) -> str:
    """Likewise, of a text of several lines."""
    return "\n".join(map(plain, text.split("\n")))
