"""Lines that the text of a position has in one game only.

Each game names its own (`RoundState.own_lines`).
"""

from enum import Enum

from attrs import frozen

from engine.cards import Card, Rank, Suit

NONE = "none"
"""Word for an empty line: nobody waits, no card is barred."""

SOME_CARD = Card(-1, Rank.FOUR, Suit.SPADES)
"""Stand-in for a discard of which only one thing is known: it has no effect any more."""


class LineKind(Enum):
    """Kinds of values that a line and its field have."""

    SEATS = "seats, in any order"
    BY_SEAT = "a number for each seat"
    BY_SIDE = "a number for each side"
    ONE = "one number"
    DISCARDS = "the last discards, where they are others than those that lie on the pile"
    HANDS = "how many hands are set aside"
    ASKED = "for each question: the seat, what it held, and how many cards its melds had"
    CARD = "one card of the hand whose turn it is, which everybody has seen"


@frozen
class OwnLine:
    """A line of one game: its word, the kind of its value, and the field that holds the value."""

    word: str
    kind: LineKind
    field: str
    most: int = 0
    """Number of hands set aside at first; 0 for one for each seat."""
    size: int = 0
    """Number of cards in each of these."""
    taken: str = ""
    """The field with the seats that have received one of these."""
