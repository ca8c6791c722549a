"""Cards as people write them: suits have symbols, or the letters of the screen's language.

In files, the notation (`engine.notation`) has English letters in every language. At a table, people
type and read cards with the letters of their own language: `Kc` is the king of clubs in English,
and the king of hearts (corazones) in Spanish.
"""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from client.i18n.language import _
from engine.marked_texts import N_

if TYPE_CHECKING:
    from engine.cards import Card

SYMBOLS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
"""Symbols by the letters of the notation, which are the values of `engine.cards.Suit`."""
_GOLD_SYMBOL = "★"

SUITLESS = (N_("Jo"), N_("Sw"), N_("Sh"), N_("Ar"), N_("Po"))
"""Codes of cards without a suit: Joker, Sword, Shield, Artifact and Treasure Pot."""

_NOTATION = N_("shdcg")
"""Letters of the notation for spades, hearts, diamonds, clubs, and a gold card."""
_NO_VARIANTS = str.maketrans("", "", "\ufe0e\ufe0f")
"""Table to remove the variation selectors that a symbol copied from elsewhere may have."""
_CARD = re.compile(r"(\^?(?:10|[2-9TJQKA]))([A-Z]{1,2})((?::\d)?)", re.ASCII | re.IGNORECASE)


def card_face(card: "Card", *, symbols: bool = True) -> str:
    """Return a card as people read it: "10♥" (or "10h"), "K♠★" for a gold one (or "Ksg"), "Jo"."""
    rank = "10" if card.rank.code == "T" else card.rank.code
    if card.suit is None:
        return _(rank)
    face = rank + SYMBOLS[card.suit] + (_GOLD_SYMBOL if card.gold else "")
    return face if symbols else with_letters(face)


def with_letters(text: str) -> str:
    """Return the text with letters for the symbols of suits."""
    symbols = "".join((*SYMBOLS.values(), _GOLD_SYMBOL))
    return text.translate(str.maketrans(symbols, _(_NOTATION)))


def spoken_cards(line: str) -> str:
    """Return a line of the notation with the cards as the screen's language writes them."""
    own: dict[str, str] = {code: _(code) for code in SUITLESS}
    return " ".join(_changed(word, _NOTATION, _(_NOTATION), own) for word in line.split(" "))


def shown_cards(line: str) -> str:
    """Return a line of the notation with the cards as the screen shows them: "10♥" for "Th"."""
    return " ".join(map(_face, line.split(" ")))


def _face(word: str) -> str:
    if word in SUITLESS:
        return _(word)
    card = _CARD.fullmatch(word)
    if card is None or card[2] not in _NOTATION:  # words such as "to" stay as they are
        return word
    suits = (*SYMBOLS.values(), SYMBOLS["s"] + _GOLD_SYMBOL)  # a gold card is a spade (K4)
    return card[1].replace("T", "10") + suits[_NOTATION.index(card[2])] + card[3]


def notation_of(word: str) -> str:
    """Return a card, typed or copied from the screen, as the notation writes it.

    A letter has its meaning in the screen's language. If it has none there, it keeps its meaning in
    the notation.
    """
    own = {_(code).casefold(): code for code in SUITLESS}
    return _changed(with_letters(word.translate(_NO_VARIANTS)), _(_NOTATION), _NOTATION, own)


def _changed(word: str, letters: str, into: str, suitless: Mapping[str, str]) -> str:
    """Return a card with its letter from `letters` replaced by that from `into`.

    `suitless` has the codes of cards without a suit. A word that is no card stays as it is.
    """
    bare = word.removeprefix("^").partition(":")[0]
    code = suitless.get(bare) or suitless.get(bare.casefold())
    if code:
        return word.replace(bare, code)
    card = _CARD.fullmatch(word)
    if card is None:
        return word
    letter = card[2].lower()
    if letter == letters[0] + letters[4]:  # a gold card is a spade (K4)
        letter = letters[4]
    # In Spanish "Kc" is the king of hearts (corazones): its letter is the second of "pcdto", and so
    # it becomes the second of "shdcg".
    place = letters.find(letter) if len(letter) == 1 else -1
    return word if place < 0 else f"{card[1]}{into[place]}{card[3]}"
