"""Sentences of engine, protocol and p2p in the language of the person.

The layers below speak English and know of no catalogs; a test sees to it that no sentence of theirs
is missing here.
"""

import re
from functools import cache

from client.i18n import node_words, protocol_words
from client.i18n.engine_words import OPTIONS, REFUSALS, STEPS, SUMMARIES
from client.i18n.language import _
from client.i18n.notation_words import NOTATION
from engine.errors import IllegalMove
from engine.sentences import Sentence

_GAP = re.compile(r"\{\d\}")

TEMPLATES = sorted(
    (
        *REFUSALS,
        *OPTIONS,
        *SUMMARIES,
        *NOTATION,
        *node_words.NODE,
        *node_words.PHRASES,
        *protocol_words.PROTOCOL,
        *protocol_words.PHRASES,
    ),
    key=lambda template: -len(_GAP.sub("", template)),
)
"""Those that say most first: what one of them leaves open may be words of another."""


def in_language(sentence: str | Sentence) -> str:
    """The sentence, translated where the catalogs have it; what is filled in, likewise."""
    sentence = str(sentence)
    for template in TEMPLATES:
        match = _pattern(template).fullmatch(sentence)
        if match is not None:
            return _(template).format(*map(_filled, match.groups()))
    return sentence


def said(error: BaseException) -> str:
    """What an error says to people, with the clause if it has one."""
    if isinstance(error, IllegalMove):
        return f"{in_language(str(error.sentence))} [{error.clause}]"
    return in_language(str(error))


def _filled(value: str) -> str:
    """A step or a sentence is translated; a name or a number stays as it is."""
    return _(value) if value in STEPS.values() else in_language(value)


@cache
def _pattern(template: str) -> re.Pattern[str]:
    """Matches the template with anything filled in."""
    return re.compile(re.sub(r"\\\{\d\\\}", "(.+?)", re.escape(template)), re.S)
