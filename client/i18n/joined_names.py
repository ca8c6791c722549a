"""Lists of names, or of phrases with names, as parts of a sentence."""

import re
from collections.abc import Iterable, Sequence

from client.i18n.language import _, bare, spoken
from engine.sentences import conjoined

_SOUND_OF_I = re.compile(r"\W*(h?i(?![aeou])|y(?![aeiou]))")
"""Beginning of words, without accents, whose first sound is an i: Inés, Hilda, Yves, not Yara."""


def with_and(names: Iterable[str]) -> str:
    """Return all names, with "and" before the last one.

    This gives "Ana, Bruno and Carla", and in Spanish "Ana e Inés".
    """
    words = tuple(names)
    return conjoined(words, _fitting(_(" and "), words[-1])) if words else ""


def couple(names: Sequence[str]) -> str:
    """Return the players of one side as one name: "Ana & Carla"."""
    return _fitting(_(" & "), names[-1]).join(names)


def _fitting(conjunction: str, word: str) -> str:
    """Return the conjunction that fits before the word.

    In Spanish it is "e" before the sound of an i (Diccionario panhispánico de dudas, "y").
    """
    before_i = spoken() == "es" and _SOUND_OF_I.match(bare(word))
    return conjunction.replace("y", "e") if before_i else conjunction
