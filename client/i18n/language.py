"""The language of the program: its choice, translated texts, numbers, and lists of names.

Catalogs are in `client/i18n/locale/<language>/LC_MESSAGES/`; English needs none.
"""

import gettext
import locale
import os
import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence

from engine.marked_texts import Marked

LANGUAGES = {"en": "English", "es": "Español", "pt": "Português"}

DOMAIN = "sobremesa"
"""Name of the program's texts in gettext."""

LOCALE_FOLDER = os.path.join(os.path.dirname(__file__), "locale")

_spoken = "en"
_current: gettext.NullTranslations = gettext.NullTranslations()
_script: Callable[[str], str] = str


def choose_language(language: str) -> None:
    """Use `language` from now on: one of LANGUAGES, or "auto" for that of the system."""
    global _current, _spoken  # noqa: PLW0603 - one program speaks one language
    chosen = _system_language() if language == "auto" else language
    # argparse calls gettext's own functions, which read the environment.
    gettext.bindtextdomain(DOMAIN, LOCALE_FOLDER)
    gettext.textdomain(DOMAIN)
    os.environ["LANGUAGE"] = chosen
    _current = gettext.translation(DOMAIN, LOCALE_FOLDER, [chosen], fallback=True)
    _spoken = chosen


def choose_script(script: Callable[[str], str]) -> None:
    """Pass every text through `script` from now on.

    `str` leaves texts as they are; another function replaces what the terminal cannot show.
    """
    global _script  # noqa: PLW0603 - one program writes to one terminal
    _script = script


def has_symbols(encoding: str | None) -> bool:
    """Return True if the encoding of a stream has the symbols of cards, texts and tables."""
    try:
        "♠♥♦♣★—✓╭█◐".encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def written(text: str) -> str:
    """Return a text of the program's language as this terminal can show it."""
    return text if text.isascii() else _script(text)


def spoken() -> str:
    """Return the language of the program, one of LANGUAGES."""
    return _spoken


def _system_language() -> str:
    """Return the language of the environment if it is in LANGUAGES, otherwise English."""
    names = [os.environ.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG")]
    name = next(filter(None, names), None) or locale.getlocale()[0] or ""
    return name[:2].lower() if name[:2].lower() in LANGUAGES else "en"


def _(text: str) -> str:
    """Return `text` in the language of the program."""
    return written(_current.gettext(text))


def qualified(text: str) -> str:
    """Return the translation of a text like "book|clean", which English shows as "clean".

    The part before the bar tells translators what the word describes. (`Q_` in GLib does the same.)
    """
    translated = _current.gettext(text)
    return written(text.rpartition("|")[2] if translated == text else translated)


def plural(one: str, many: str, count: int) -> str:
    """Return `one` or `many` in the language of the program, as the count asks for."""
    return written(_current.ngettext(one, many, count))


def _n(one: str, many: str, count: int, **values: object) -> str:
    """Return `one` or `many`, as the count asks for, with values filled in.

    The count takes the place of "{n}", and each value the place of its name.
    """
    return plural(one, many, count).format(n=number(count), **values)


def number(value: int) -> str:
    """Return a number with separated thousands, as the language writes it."""
    return f"{value:,}".replace(",", _("1,000")[1])


def own_letter(letter: str, letters: Marked) -> str:
    """Return the letter that the program's language uses in place of `letter`.

    `letters` are all letters of one kind, such as "shdcg" for suits. A catalog translates them
    together, in the same order: "pcdto" in Spanish. A letter that is not among `letters` is the
    same in every language.
    """
    place = letters.find(letter) if len(letter) == 1 else -1
    return letter if place < 0 else _(letters)[place]


def decimal(value: float) -> str:
    """Return a number with one decimal, as the language writes it."""
    thousands = _("1,000")[1]
    point = "." if thousands == "," else ","
    return f"{value:,.1f}".translate(str.maketrans(",.", thousands + point))


def bare(text: str) -> str:
    """Return the text without accents and in lower case, to compare typed text with shown text."""
    parts = unicodedata.normalize("NFD", text.casefold())
    return "".join(part for part in parts if not unicodedata.combining(part))


def capital(text: str) -> str:
    """Return a sentence with a capital at its beginning, also if it begins with a name."""
    return text[:1].upper() + text[1:]


# -- names, or phrases with names, in a row in a sentence

_SOUND_OF_I = r"\W*(h?i(?![aeou])|y(?![aeiou]))"
"""Pattern of the beginning of a word whose first sound is an i, for words without accents.

Inés (without its accent), Hilda and Yves match, but not Yara.
"""


def with_and(names: Iterable[str]) -> str:
    """Return all names, with "and" before the last one.

    This gives "Ana, Bruno and Carla", and in Spanish "Ana e Inés".
    """
    *others, last = tuple(names) or ("",)
    return _fitting(_(" and "), last).join(filter(None, (", ".join(others), last)))


def couple(names: Sequence[str]) -> str:
    """Return the players of one side as one name: "Ana & Carla"."""
    return _fitting(_(" & "), names[-1]).join(names)


def _fitting(conjunction: str, word: str) -> str:
    """Return the conjunction that fits before the word.

    In Spanish it is "e" before the sound of an i (Diccionario panhispánico de dudas, "y").
    """
    before_i = spoken() == "es" and re.match(_SOUND_OF_I, bare(word))
    return conjunction.replace("y", "e") if before_i else conjunction
