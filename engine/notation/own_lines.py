"""Lines that the text of a position has in one game only; each game names its own
(`RoundState.own_lines`).
"""

from enum import Enum

from attrs import frozen


class LineKind(Enum):
    """What stands in a line, and in the field that it is for."""

    SEATS = "seats, in any order"
    BY_SEAT = "a number for each seat"
    BY_SIDE = "a number for each side"
    ONE = "one number"
    DISCARDS = "the last discards, where they are others than those that lie on the pile"
    HANDS = "how many hands are set aside"
    CARD = "one card of the hand whose turn it is, which everybody has seen"


@frozen
class OwnLine:
    """A line: its word, what stands in it, and the field that it is for.

    Of hands set aside there are `most` at first, each of `size` cards.
    """

    word: str
    kind: LineKind
    field: str
    most: int = 0
    size: int = 0
