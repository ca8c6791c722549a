"""What a position says of its table: how the pile lies, what an opening takes, what a meld counts
as, which cards are due, and what a discard offers to the next seat.

A table shows these values, opponents weigh them, and the rules themselves answer
(`engine.position`, section "what the table shows").
"""

from enum import Enum

from attrs import frozen

from engine.slots import Seat, Shown


class PileState(Enum):
    """Whether the discard pile may be taken. UNOPENED: it is frozen for a side until it opens."""

    FREE = "free"
    FROZEN = "frozen"
    UNOPENED = "unopened"
    BLOCKED = "blocked"


@frozen
class PileStatus:
    """`until` is the seat whose turn ends the blocking, where that is known."""

    state: PileState
    until: Seat | None = None


class MeldClass(Enum):
    """What a complete formation counts as."""

    CLEAN = "clean"
    DIRTY = "dirty"
    ROYAL = "royal"


class Taking(Enum):
    """What is taken of the discard pile."""

    NOTHING = "nothing"
    TOP = "top"
    PILE = "pile"


@frozen
class Opening:
    """What a side has gathered for its first melds, and what they take.

    `need` is in points; None where a canasta is asked for. `most_wilds` is None for no limit.
    """

    points: int
    need: int | None
    wilds: int
    most_wilds: int | None


@frozen
class Duty:
    """Cards that the seat to move must lay on the table before anything else, and the clause that
    says so. Only who sees the hand knows of it, so it is no part of `apply` (X12).
    """

    cards: tuple[Shown, ...]
    clause: str


@frozen
class PileOffer:
    """What a discard offers to the seat after it, `taker`.

    `taking` is what the taker could take of the pile with that card on it; NOTHING where the rules
    forbid it, or where no cards that the taker may hold allow it. `certain` tells that the taker
    can take it with the cards that everybody has seen; otherwise it depends on hidden ones.
    `cards` is how many the taker would gain, and `points` what they are worth in melds.
    """

    taker: Seat
    taking: Taking
    certain: bool = False
    cards: int = 0
    points: int = 0
