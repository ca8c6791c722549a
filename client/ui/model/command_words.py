"""The words of typed lines, in English and in the person's language, whole or shortened."""

import re
from collections.abc import Mapping

from client.i18n.card_letters import shown_cards, spoken_cards
from client.i18n.language import _, bare, own_letter
from engine.moves import Move
from engine.notation.moves import format_move
from engine.position import Position
from engine.sentences import N_

_COPY_MARK = re.compile(r":[1-8]\b")

PARTICLES = (N_("to"), N_("low"), N_("rank"), N_("suit"), N_("own"), N_("opponent"))
"""Words that follow the first word of a line, such as "to" in "add 7h to 1"."""


_LETTERS = N_("cdtpynmxguaqwhskvoflirebj")
"""The keys of the commands, one letter each. A translation may use other letters, none twice."""


def own_key(key: str) -> str:
    """Return the key of a command in the language of the screen."""
    return own_letter(key, _LETTERS)


def command_word(word: str, known: Mapping[str, str]) -> str | None:
    """Return the known word that is typed, or None.

    The word may be typed in English or in the person's language, with or without accents. It may be
    typed in full, as its short form (the value in `known`), or as a beginning that no other known
    word has.
    """
    typed = bare(word)
    if typed in known:
        return typed
    short = next((name for name, form in known.items() if form and bare(form) == typed), None)
    if short is not None:
        return short
    own = {bare(_(name)): name for name in known}
    if typed in own:
        return own[typed]
    # A set, because one word may begin with `typed` in both languages, and must count once.
    begun = {name for name in known if typed and name.startswith(typed)}
    begun |= {name for spoken, name in own.items() if typed and spoken.startswith(typed)}
    return begun.pop() if len(begun) == 1 else None


def particle(word: str) -> str | None:
    """Return the particle that is typed, in English or the person's language, or None."""
    typed = bare(word)
    return next((name for name in PARTICLES if typed in (name, bare(_(name)))), None)


def spoken(line: str) -> str:
    """Translate the words and suits in a line of the notation into the person's language."""
    return _with_words(spoken_cards(line))


def shown(line: str) -> str:
    """Translate the words in a line of the notation, and write cards as the screen shows them."""
    return _with_words(shown_cards(line))


def _with_words(line: str) -> str:
    first, *rest = line.split(" ")
    return " ".join([_(first), *(_(word) if word in PARTICLES else word for word in rest)])


def line_of(view: Position, move: Move) -> str:
    """Return the line of the notation for a move of the seat to move, without copy marks.

    A line names cards by their faces alone: which of two equal cards is meant does not matter.
    """
    return _COPY_MARK.sub("", format_move(view, move))
