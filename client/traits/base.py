"""What a table shows of a game beyond what all positions have, one implementation a game."""

from abc import ABC, abstractmethod
from enum import Enum
from typing import Generic, TypeVar

from attrs import frozen

from engine.cards import Card, Suit
from engine.errors import IllegalMove
from engine.melds import Meld
from engine.moves import Play
from engine.position import Position
from engine.slots import Seat, Shown, Side

P = TypeVar("P", bound=Position)

_SUIT_ORDER = (None, Suit.SPADES, Suit.HEARTS, Suit.CLUBS, Suit.DIAMONDS)


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


class Mark(Enum):
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


class Traits(ABC, Generic[P]):
    """The game of a position as a table shows it."""

    pile_is_open = False
    takes_pile_bare = False

    @abstractmethod
    def is_wild(self, card: Card) -> bool: ...

    def is_bonus(self, card: Card) -> bool:
        """A card that is laid on the table at once, for its own points."""
        del card
        return False

    @abstractmethod
    def melds_after(self, position: P, side: Side, plays: tuple[Play, ...]) -> tuple[Meld, ...]:
        """What lies before a side with the plays laid. Raises IllegalMove where one is no meld."""

    @abstractmethod
    def mark(self, meld: Meld) -> Mark | None:
        """What a meld is squared up as; None while it is not complete."""

    @abstractmethod
    def pile_status(self, position: P, side: Side) -> PileStatus:
        """How the pile lies for a side."""

    def opening(self, position: P, side: Side, plays: tuple[Play, ...]) -> Opening | None:
        """How far the plays reach; None for a side that needs no opening (any more)."""
        del position, side, plays
        return None

    def required(self, position: P, side: Side) -> Opening | None:
        """What the opening of a side takes; None if it has opened, or needs none."""
        return self.opening(position, side, ())

    def taking(self, position: P) -> Taking:
        """What the side to move would take of the pile."""
        del position
        return Taking.PILE

    def may_ask(self, position: P) -> bool:
        """Whether the seat to move has a partner to ask before going out."""
        del position
        return False

    def deads(self, position: P) -> int:
        """Hands set aside that may still be taken."""
        del position
        return 0

    def in_order(self, meld: Meld) -> tuple[Shown, ...]:
        """The cards of a meld as they lie."""
        return meld.cards

    def pile_seen(self, position: P) -> tuple[Shown, ...]:
        """The cards of the pile below the top that may be looked at."""
        del position
        return ()

    def fits(self, position: P, side: Side, card: Shown) -> int | None:
        """The number of a meld of that side which the card could join alone."""
        for number in range(len(position.laid[side].melds)):
            try:
                self.melds_after(position, side, (Play((card,), onto=number),))
            except IllegalMove:
                continue
            return number
        return None

    def by_rank(self, card: Card) -> tuple[object, ...]:
        """Sorts a hand by rank, wild cards last."""
        return self.is_wild(card), card.rank, _SUIT_ORDER.index(card.suit), card.number

    def by_suit(self, card: Card) -> tuple[object, ...]:
        """Sorts a hand by suit, wild cards last."""
        return self.is_wild(card), _SUIT_ORDER.index(card.suit), card.rank, card.number
