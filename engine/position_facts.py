"""Values that a position gives about its table.

They tell how the pile lies, what an opening needs, what a meld counts as, which cards are due, and
what a discard offers to the next seat. Displays show these values, and opponents weigh them.
`engine.round_state` declares the methods that return them, in its section "what the table shows".
"""

from enum import Enum

from attrs import frozen

from engine.sentences import Marked
from engine.slots import Seat, Shown


class PileState(Enum):
    """The state of the discard pile for a side."""

    FREE = "free"
    FROZEN = "frozen"
    UNOPENED = "unopened"
    """The pile is frozen for the side until it opens."""
    BLOCKED = "blocked"


@frozen
class PileStatus:
    """The state of the discard pile, and when a blocking ends."""

    state: PileState
    until: Seat | None = None
    """The seat whose turn ends the blocking, if that is known."""


class MeldClass(Enum):
    """The class that a complete meld counts as."""

    CLEAN = "clean"
    DIRTY = "dirty"
    SPECIAL = "special"
    """A further class of the game: a royal suit, a real canastra, a samba."""


@frozen
class MeldWords:
    """A game's words for a class of melds.

    The part of `word` before a bar, as in "book|clean", is not shown. It tells translators which
    noun the word describes, if the noun is not the same as in other games.
    """

    word: Marked
    completes: Marked
    """The words for completing such a meld, as in "completes a clean book"."""


class Taking(Enum):
    """The part of the discard pile that is taken."""

    NOTHING = "nothing"
    TOP = "top"
    PILE = "pile"


@frozen
class Opening:
    """The points and wild cards in a side's first melds, and the limits that the rules set."""

    points: int
    need: int | None
    """Points needed; None if a canasta is needed."""
    wilds: int
    most_wilds: int | None
    """The maximum number of wild cards; None for no limit."""


@frozen
class Duty:
    """Cards that the seat to move must lay before anything else, and the clause that says so.

    Only a replica that sees the hand knows of the duty, so `apply` does not check it (X12).
    """

    cards: tuple[Shown, ...]
    clause: str


@frozen
class PileOffer:
    """The gain that a discard offers to the next seat."""

    taker: Seat
    """The seat that plays next."""
    taking: Taking
    """The part of the pile, with the discard on it, that the taker could take.

    NOTHING if the rules forbid it, or if no cards that the taker may hold allow it.
    """
    certain: bool = False
    """True if the cards that everybody has seen are enough; otherwise hidden cards decide."""
    cards: int = 0
    """Number of cards that the taker would gain."""
    points: int = 0
    """Value of the gained cards in melds."""
