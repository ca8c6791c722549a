"""Lines that the text of a position has in one game only, and facts that it may leave open.

Each game names its own (`RoundState.own_lines`, `RoundState.unstated_facts`), and `engine.notation`
reads and writes them: a game knows nothing of its text but these values.
"""

from collections.abc import Mapping
from enum import Enum
from typing import Any

from attrs import frozen

from engine.cards import Card, Rank, Suit
from engine.sentences import Sentence

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
    says: str
    """The meaning of the line, for the table in `spec/notation.md`."""
    example: str = "1"
    """Its value in that table, behind the word."""
    without: str = "none"
    """The value that the line has where it is missing."""
    most: int = 0
    """Number of hands set aside at first; 0 for one for each seat."""
    size: int = 0
    """Number of cards in each of these."""
    taken: str = ""
    """The field with the seats that have received one of these."""


Changes = Mapping[str, Any]
"""Fields of a position with the values that an answer gives them."""


@frozen
class UnstatedFact:
    """A question about the past of a position that its lines may leave open."""

    say: Sentence
    """The line that answers the question, with words on what to write in it."""
    answers: tuple[Changes, ...]
    """The changes that each answer makes; the first one changes nothing, and is the default."""
