"""Cards as text: "Ks", "10d", "Kg", "Jo", and "Ks:2" if it matters which copy is meant."""

import re

from engine.cards import Card
from engine.decks import Deck
from engine.errors import NotationError

_SUITS = str.maketrans("♠♥♦♣♤♡♢♧", "shdcshdc", "\ufe0e\ufe0f")
"""Table that turns suit symbols into letters, and drops the marks for their text or emoji form."""

# The pattern also fits Jo, Sw and the other cards without a suit. No card with a suit has one of
# their codes.
_CARD = re.compile(r"(10|[2-9a-z])([a-z])(?::([1-9][0-9]{0,2}))?", re.ASCII | re.IGNORECASE)


def read_code(deck: Deck, word: str) -> tuple[str, int | None]:
    """Return the code of the card that the word names, and its copy mark if there is one.

    Raises NotationError if the deck has no such card.

    >>> from engine.canasta.deck import CANASTA
    >>> read_code(CANASTA, "10♥:2"), read_code(CANASTA, "jo")
    (('Th', 2), ('Jo', None))
    """
    if parts := _CARD.fullmatch(with_suit_letters(word)):
        rank, suit, mark = parts.groups()
        # Case does not matter: `KS`, `ks` and `10S` are read, and no two codes of a deck differ in
        # case alone.
        wanted = ("t" if rank == "10" else rank.lower()) + suit.lower()
        for card in deck:
            if card.code.lower() == wanted:
                return card.code, int(mark) if mark else None
    raise NotationError("{word!r} is no card; write rank and suit, like Ks or Td.", word=word[:20])


def with_suit_letters(word: str) -> str:
    """Return the word with letters for the symbols of suits.

    >>> with_suit_letters("K♥")
    'Kh'
    """
    return word.translate(_SUITS)


def gold_twin(code: str) -> str | None:
    """Return the code of the gold card of that rank; None if the suit is not spades.

    >>> gold_twin("Ks"), gold_twin("Kh")
    ('Kg', None)
    """
    return f"{code[0]}g" if code.endswith("s") else None


def code_of(deck: Deck, word: str) -> str | None:
    """Return the code of the card that the word names; None if the word names no card."""
    try:
        return read_code(deck, word)[0]
    except NotationError:
        return None


def copies(deck: Deck, code: str) -> tuple[Card, ...]:
    """Return the cards with that code, the lowest number first."""
    return tuple(card for card in deck if card.code == code)


def copy_mark(deck: Deck, card: Card) -> int:
    """Return the card's number among the cards of the deck with the same face: 1, 2 and so on."""
    return 1 + copies(deck, card.code).index(card)
