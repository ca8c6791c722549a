"""Text that cannot control the terminal, even in names that strangers have chosen."""

import unicodedata

_OBEYED = ("Cc", "Cf", "Cs", "Zl", "Zp")
"""Unicode categories of characters that a terminal obeys, or that reverse or end a line."""


def plain(text: str) -> str:
    """Return the text with question marks for characters that a terminal would obey.

    Line ends are replaced, too; tabs are kept.
    """
    if text.isprintable():
        return text
    return "".join(
        "?" if unicodedata.category(one) in _OBEYED and one != "\t" else one for one in text
    )


def plain_lines(text: str) -> str:
    """Return a text of several lines, with `plain` applied to each line."""
    return "\n".join(map(plain, text.split("\n")))
