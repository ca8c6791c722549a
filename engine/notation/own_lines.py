"""Lines that the text of a position has in one game only; each game names its own
(`RoundState.own_lines`).
"""

from enum import Enum

from attrs import frozen

from engine.cards import Card, Rank, Suit

NONE = "none"
"""Says that a line has nothing to tell: nobody waits, no card is barred."""

SOME_CARD = Card(-1, Rank.FOUR, Suit.SPADES)
"""Stands among discards for one of which only this is known: it has no effect any more."""


class LineKind(Enum):
    """What stands in a line, and in the field that it is for."""

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
    """A line: its word, what stands in it, and the field that it is for.

    Of hands set aside there are `most` at first, each of `size` cards; those in the field `taken`
    have had one.
    """

    word: str
    kind: LineKind
    field: str
    most: int = 0
    size: int = 0
    taken: str = ""
