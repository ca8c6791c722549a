"""Lines of the notation that only one game has, and facts that a text may leave open.

Each game lists its lines (`RoundState.own_lines`) and such facts (`RoundState.unstated_facts`).
`engine.notation` reads and writes the lines, so no game has code for positions as text.
"""

from collections.abc import Mapping
from enum import Enum
from typing import Any

from attrs import frozen

from engine.cards import Card, Rank, Suit
from engine.sentences import Sentence

NONE = "none"
"""Word for a value that names nothing, for example if no card is barred."""

# No card of a deck has the number -1, so this card equals no real one. A four is no stop card, so
# it does not block the pile of Kanastic (K75).
SOME_CARD = Card(-1, Rank.FOUR, Suit.SPADES)
"""Stand-in for a discard that is unknown, and whose face has no effect any more."""


class LineKind(Enum):
    """Kinds of values that a line can have."""

    SEATS = "seats, in any order"
    BY_SEAT = "a number for each seat"
    BY_SIDE = "a number for each side"
    ONE = "one number"
    DISCARDS = "the last discards, if they differ from the cards of the pile"
    HANDS = "how many hands are set aside"
    ASKED = "for each question: the seat, what it held, and how many cards its melds had"
    CARD = "one card that everybody has seen, in the hand of the seat whose turn it is"


@frozen
class OwnLine:
    """A line of one game: its word, the kind of its value, and the field that holds the value."""

    word: str
    kind: LineKind
    field: str
    says: str
    """The meaning of the line, for the table in `spec/notation.md`."""
    example: str = "1"
    """An example of the value, for the same table."""
    without: str = "none"
    """The value that holds if a text lacks the line, for the same table."""
    most: int = 0
    """For HANDS: number of hands set aside after the deal; 0 means one for each seat."""
    size: int = 0
    """For HANDS: number of cards in each hand set aside."""
    taken: str = ""
    """For HANDS: the field with the seats that have taken up such a hand."""


Changes = Mapping[str, Any]
"""Fields of a position, each with the value that an answer gives it."""


@frozen
class UnstatedFact:
    """A question about the past of a position that its lines may leave open."""

    say: Sentence
    """The line that would answer the question, and what to write in it."""
    answers: tuple[Changes, ...]
    """The changes that each answer makes; the first one changes nothing, and is the default."""
