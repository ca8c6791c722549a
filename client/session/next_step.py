"""What a person wants when she is done with a table."""

from enum import Enum, auto


class Wish(Enum):
    """LEAVE is always there; the others are for a match that is over."""

    LEAVE = auto()
    AGAIN = auto()
    OTHER_SEATS = auto()
