"""Names of people, cleaned so that they can stand on any screen and in any charter.

A name is decoration and never identity, but it is shown beside seats and is part of the charter:
it must carry no terminal escapes, no invisible or direction-changing characters, and all
nodes must agree on what is clean. Python's own Unicode tables differ from version to version, so
this uses the Unicode 3.2 tables, which every Python carries unchanged (they serve RFC 3454).
They know all letters that names are written in today; newer characters, such as most emoji, are
left out.
"""

from unicodedata import ucd_3_2_0 as unicode

from protocol.errors import Malformed

MAX_WIDTH = 20
"""Columns of a terminal that a name may take."""

_MAX_MARKS = 3  # marks on one letter: Vietnamese needs two, pointed Hebrew three

MAX_LENGTH = (1 + _MAX_MARKS) * MAX_WIDTH
"""Characters that a name may have: combining marks take no column of their own."""

_MAX_INPUT = 1024
_DROPPED = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
_MARKS = frozenset({"Mn", "Me"})
# Characters that show nothing although their category says otherwise: soft hyphen, zero width
# space, joiner, variation selectors, Khmer inherent vowels, Hangul fillers, empty Braille cell.
_BLANK = frozenset(
    "\u00ad\u200b\u034f\u180b\u180c\u180d\u17b4\u17b5\u115f\u1160\u3164\uffa0\u2800"
) | frozenset(map(chr, range(0xFE00, 0xFE10)))


def clean_name(text: str) -> str:
    """`text` as a name: NFC, one line, no invisible characters, at most MAX_WIDTH columns.

    Cleaning a clean name changes nothing. Raises Malformed, with a sentence for the person who
    typed it, if nothing visible is left or if it is too long.
    """
    if len(text) > _MAX_INPUT:
        raise Malformed("That name is too long: at most {most} columns fit.", most=MAX_WIDTH)
    # Left-out characters go first: NFC may compose what they stood between.
    words = "".join(_visible(character) for character in text).split()
    name = unicode.normalize("NFC", " ".join(words))
    if not any(unicode.category(character)[0] in "LN" for character in name):
        raise Malformed("A name needs at least one letter or digit.")
    if unicode.category(name[0]) in _MARKS:
        raise Malformed("A name cannot begin with an accent.")
    if _marks_in_a_row(name) > _MAX_MARKS:
        raise Malformed("That name has more than {most} accents on one letter.", most=_MAX_MARKS)
    width = sum(_width(character) for character in name)
    if width > MAX_WIDTH:
        raise Malformed(
            "That name is {width} columns wide: at most {most} fit.", width=width, most=MAX_WIDTH
        )
    return name


def is_clean_name(text: str) -> bool:
    """Whether `text` is a name just as `clean_name` would give it."""
    try:
        return clean_name(text) == text
    except Malformed:
        return False


def _visible(character: str) -> str:
    if character in _BLANK:
        return ""
    if character in "\t\n\v\f\r\x85" or unicode.category(character)[0] == "Z":
        return " "
    return "" if unicode.category(character) in _DROPPED else character


def _width(character: str) -> int:
    if unicode.category(character) in _MARKS:
        return 0
    return 2 if unicode.east_asian_width(character) in {"W", "F"} else 1


def _marks_in_a_row(name: str) -> int:
    longest = run = 0
    for character in name:
        run = run + 1 if unicode.category(character) in _MARKS else 0
        longest = max(longest, run)
    return longest
