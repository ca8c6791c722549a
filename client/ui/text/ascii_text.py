"""Text for terminals and files that have only ASCII: letters lose their accents."""

import unicodedata
from typing import TextIO

from client.i18n.card_letters import with_letters
from client.i18n.language import choose_script, has_symbols

_SIMPLE = {
    **str.maketrans("—–×·ªº“”«»’", '--x-ao""""\'', "¿¡"),
    ord("…"): "...",
    ord("←"): "<-",
    ord("→"): "->",
    # The characters that tables are drawn with, as in `client.ui.tui.toolkit.glyphs`.
    **str.maketrans("╭╮╰╯─│▶█░●◐", "..''-|>#.o%"),
}
"""Table of characters and the ASCII text that resembles them; "¿" and "¡" are dropped."""


def ascii_text(text: str) -> str:
    """Return `text` in ASCII, with ? for a character without an ASCII letter."""
    return "".join(map(_letter, with_letters(text).translate(_SIMPLE)))


def choose_script_for(stream: TextIO) -> None:
    """Write all texts of the program, from now on, in characters that the stream can encode."""
    choose_script(str if has_symbols(stream.encoding) else ascii_text)


def _letter(character: str) -> str:
    """Return one ASCII character for a character; "" for an accent by itself."""
    if character.isascii():
        return character
    if unicodedata.combining(character):
        return ""
    base = unicodedata.normalize("NFD", character)[0]
    return base if base.isascii() else "?"
