"""Text that cannot control the terminal: names may be chosen by strangers, file names too."""

import unicodedata

_OBEYED = ("Cc", "Cf", "Cs", "Zl", "Zp")
"""Categories of Unicode that a terminal obeys, or that reverse a line or end it."""


def plain(text: str) -> str:
    """Return the text with question marks for characters that a terminal would obey.

    Line ends are among them, tabs are not.
    """
    if text.isprintable():
        return text
    return "".join(
        "?" if unicodedata.category(one) in _OBEYED and one != "\t" else one for one in text
    )


def plain_lines(text: str) -> str:
    """Return a text of several lines with the same replacements within each line."""
    return "\n".join(map(plain, text.split("\n")))
