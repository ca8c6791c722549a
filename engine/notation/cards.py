"""Cards as text: "Ks", "10d", "Kg", "Jo", and "Ks:2" where it matters which copy is meant."""

import re

from engine.cards import Card
from engine.decks import Deck
from engine.errors import NotationError

_SUITS = str.maketrans("♠♥♦♣♤♡♢♧", "shdcshdc", "\ufe0e\ufe0f")
"""Suits may be symbols, in text or in colour."""

_CARD = re.compile(r"(10|[2-9a-z])([a-z])(?::([1-8]))?", re.ASCII | re.IGNORECASE)


def read_code(deck: Deck, word: str) -> tuple[str, int | None]:
    """What is printed on the card that the word means, and its copy mark if there is one.

    Raises NotationError if the deck has no such card.
    """
    if parts := _CARD.fullmatch(with_suit_letters(word)):
        rank, suit, mark = parts.groups()
        wanted = ("t" if rank == "10" else rank.lower()) + suit.lower()
        for card in deck:
            if card.code.lower() == wanted:
                return card.code, int(mark) if mark else None
    raise NotationError("{word!r} is no card; write rank and suit, like Ks or Td.", word=word[:20])


def with_suit_letters(word: str) -> str:
    """The word with letters for the symbols of suits: "K♥" is "Kh"."""
    return word.translate(_SUITS)


def gold_twin(code: str) -> str | None:
    """What a gold card of that rank and suit is written as, in a deck that has it; None for another
    suit than spades.
    """
    return f"{code[0]}g" if code.endswith("s") else None


def code_of(deck: Deck, word: str) -> str | None:
    """What is printed on the card that the word means; None if it means none."""
    try:
        return read_code(deck, word)[0]
    except NotationError:
        return None


def copies(deck: Deck, code: str) -> tuple[Card, ...]:
    """The cards on which that is printed, the lowest number first."""
    return tuple(card for card in deck if card.code == code)


def copy_mark(deck: Deck, card: Card) -> int:
    """Which of the deck's cards of one face it is, from 1 on."""
    return 1 + copies(deck, card.code).index(card)
