"""Names of people, cleaned so that they can stand on any screen.

A name is decoration and never identity, but it is shown beside seats: it must carry no terminal
escapes and no invisible or direction-changing characters. A node signs no charter with a name that
is not clean. A record can still have an unclean name, for no verdict depends on names. It is then
cleaned before it is shown (`shown_name`).

All nodes must agree on which names are clean. Python's own Unicode tables differ from version to
version, so this module uses those of Unicode 3.2, which every Python has unchanged (for RFC 3454).
They have all letters that names are written in today. Newer characters, such as most emoji, are
left out of names.

Somebody who wants to be taken for another player can choose a name that looks like theirs:
`look_alike` finds such names.
"""

from functools import cache, lru_cache
from unicodedata import ucd_3_2_0 as unicode

from protocol.errors import Malformed

MAX_WIDTH = 20
"""The maximum width of a name, in columns of a terminal."""

_MAX_MARKS = 3  # marks on one letter: Vietnamese needs two, pointed Hebrew three

MAX_LENGTH = (1 + _MAX_MARKS) * MAX_WIDTH
"""The maximum length of a name, in characters: combining marks take no column."""

_MAX_INPUT = 1024
_DROPPED = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
_MARKS = frozenset({"Mn", "Me"})
# Characters that show nothing although their category says otherwise: soft hyphen, zero width
# space, joiner, variation selectors, Khmer inherent vowels, Hangul fillers, empty Braille cell.
_BLANK = frozenset(
    "\u00ad\u200b\u034f\u180b\u180c\u180d\u17b4\u17b5\u115f\u1160\u3164\uffa0\u2800"
) | frozenset(map(chr, range(0xFE00, 0xFE10)))


_ALSO_ALIKE = str.maketrans("ƞηπпκĸкτтᴛмᴍвʙнʜγгωшɯυ0", "nnnnkkktttmmbbhhyrwwwuo")
"""Letters of other alphabets, and a digit, that look like Latin letters in a name.

Unicode's list of confusables compares the shapes in fonts. These pairs are not in it, but look the
same at a glance.
"""

_RESERVED = ("You", "Host", "Tú", "Anfitrión", "Anfitriona", "Você", "Anfitrião", "Anfitriã")
"""The words for the person at the screen and for the host of a table, in all languages."""


def clean_name(text: str) -> str:
    """Return `text` as a name: NFC, one line, nothing invisible, at most MAX_WIDTH columns.

    Cleaning a clean name changes nothing. Raises Malformed, with a sentence for the person who
    typed the name, if the name is too long, has no letter or digit, begins with an accent, or has
    too many accents on one letter.

    >>> clean_name("  Ana   of Vigo ")
    'Ana of Vigo'
    """
    if len(text) > _MAX_INPUT:
        raise Malformed("That name is too long: at most {most} columns fit.", most=MAX_WIDTH)
    # Drop invisible characters first: two characters that one of them divides may compose in NFC.
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


@lru_cache(256)  # a display asks for the names of a table again and again
def shown_name(text: str, key: bytes) -> str:
    """Return a name of a record as it is shown: cleaned.

    A name that cannot be cleaned is shown as two words that stand for its player's `key`.
    """
    try:
        return clean_name(text)
    except Malformed:
        from protocol.words_for_keys import words  # noqa: PLC0415 - lazy: few names need the list

        return " ".join(words(key, 2))


def is_clean_name(text: str) -> bool:
    """Return True if `text` is a name that `clean_name` leaves as it is."""
    try:
        return clean_name(text) == text
    except Malformed:
        return False


def look_alike(one: str, other: str) -> bool:
    """Return True if somebody may take one of two names for the other.

    Two names look alike if they differ only in upper and lower case, in the alphabet ("Ana" with a
    Cyrillic А), in the form of letters ("m" and "rn", "w" and "vv", "l" and "1", narrow and
    fullwidth), or in accents, spaces and punctuation.

    >>> look_alike("Mario", "rnario"), look_alike("Ana", "Anna")
    (True, False)
    """
    return not _skeletons(one).isdisjoint(_skeletons(other))


def is_reserved(name: str) -> bool:
    """Return True for a name that looks like a word by which the program itself calls a player."""
    return any(look_alike(name, word) for word in _RESERVED)


def _skeletons(name: str) -> frozenset[str]:
    """Return the skeletons of a name. Two names look alike if they share one.

    Skeletons are those of Unicode Technical Standard 39, section 4, and `_ALSO_ALIKE` adds some
    letters. One skeleton is made from the name as it is written, another from the name in lower
    case: a capital I looks like an l, but a small i does not.
    """
    return frozenset(_skeleton(form) for form in (name, name.casefold()))


def _skeleton(name: str) -> str:
    looks = "".join(map(_prototype, unicode.normalize("NFKD", name))).casefold()
    looks = looks.translate(_ALSO_ALIKE).replace("vv", "w")
    # A prototype can be a letter that is newer than Unicode 3.2. The tables give it the category Cn
    # (unassigned), so it stays.
    letters = (c for c in unicode.normalize("NFD", looks) if unicode.category(c)[0] not in "MPSZ")
    return "".join(letters) or looks


@cache
def _prototype(character: str) -> str:
    """Return the one text that stands for all texts that look like this character.

    It is a group of letters if there is one ("rn" for "m"). Of several texts it is the shortest.
    """
    alike = {character, *_confusable_with(character)}
    # The list does not have all pairs: it has “I” with “l”, and “l” with “1”, but not “I” with “1”.
    alike |= {one for other in tuple(alike) for one in _confusable_with(other)}
    written_out = [text for text in alike if len(text) > 1 and text.isalpha()]
    return min(written_out or alike, key=lambda text: (len(text), text))


def _confusable_with(text: str) -> list[str]:
    """Return the texts that look like this one, by Unicode's list of confusables."""
    lines = _confusables()
    # `find` returns -1 for a text that the list does not have: then `start` is 0.
    start = lines.find(f"\n{text}\t".encode()) + 1
    return lines[start : lines.find(b"\n", start)].decode().split("\t")[1:] if start else []


@cache
def _confusables() -> bytearray:
    """Return Unicode's list of confusables in UTF-8, a line for each text.

    The line has the text and all texts that look like it, divided by tabs. As Python objects the
    list would take eleven times as much memory. It is never held that way, not even for a moment:
    the heap would stay full of holes afterwards.
    """
    from json import JSONDecoder  # noqa: PLC0415 - lazy: only new names need it
    from pkgutil import get_data  # noqa: PLC0415 - lazy as well

    # The list is read from the library's file. The library's module would keep the list in memory
    # with the name of each character, 8 MB, and import code that downloads the list.
    data = get_data("confusable_homoglyphs", "confusables.json")
    assert data is not None
    table = data.decode()
    del data
    decoded = JSONDecoder(object_hook=_without_name).raw_decode
    lines, place = bytearray(b"\n"), table.find('"')
    while place >= 0:  # one text after the other: all together they take five megabytes
        text, place = decoded(table, place)
        others, place = decoded(table, table.index("[", place))
        lines += "\t".join((text, *others)).encode() + b"\n"
        place = table.find('"', place)
    return lines


def _without_name(part: dict[str, str]) -> str:
    """Return the character of an item of the list. The item has the character's name, too."""
    return part["c"].strip("\u200e")


def _visible(character: str) -> str:
    if character in "\t\n\v\f\r\x85":  # the control characters that divide words
        return " "
    is_blank = character in _BLANK or unicode.category(character) in _DROPPED
    return "" if is_blank else character


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
