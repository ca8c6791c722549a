"""Names, or phrases with names, one after the other in a sentence."""

import re
from collections.abc import Iterable, Sequence

from client.i18n.language import _, bare, spoken
from engine.sentences import conjoined

_SOUND_OF_I = re.compile(r"\W*(h?i(?![aeou])|y(?![aeiou]))")
"""How words begin, without accents, whose first sound is an i: Inés, Hilda, Yves, not Yara."""


def with_and(names: Iterable[str]) -> str:
    """All of them, with "and" before the last: "Ana, Bruno and Carla", in Spanish "Ana e Inés"."""
    told = tuple(names)
    return conjoined(told, _fitting(_(" and "), told[-1])) if told else ""


def couple(names: Sequence[str]) -> str:
    """Who plays on one side: "Ana & Carla"."""
    return _fitting(_(" & "), names[-1]).join(names)


def _fitting(conjunction: str, word: str) -> str:
    """What stands before the word: in Spanish "e" where that begins with the sound of an i
    (Diccionario panhispánico de dudas, "y").
    """
    before_i = spoken() == "es" and _SOUND_OF_I.match(bare(word))
    return conjunction.replace("y", "e") if before_i else conjunction
