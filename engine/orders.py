"""What a position wants done with cards that nobody may look at.

The engine never shuffles and never looks under a card: it orders, and somebody delivers, either
the plain dealer of `engine.dealer` or the players together with locks and proofs (`protocol`).
"""

from attrs import frozen

from engine.cards import Card
from engine.slots import Seat, Slot

_FIRST = Slot(0)


@frozen
class Shuffle:
    """Shuffle `cards`, all of them public until now; they become slots `first`, `first` + 1, ..."""

    cards: tuple[Card, ...]
    first: Slot = _FIRST


@frozen
class Give:
    """The card in `slot` goes to the hand of `seat`, or face up on the table where that is None."""

    slot: Slot
    seat: Seat | None


@frozen
class Deal:
    """Hand out cards of the stock, all in one go."""

    gives: tuple[Give, ...]

    def to(self, seat: Seat | None) -> tuple[Slot, ...]:
        return tuple([give.slot for give in self.gives if give.seat == seat])


@frozen
class OpenHand:
    """`seat` turns up all that is left in its hand: `slots`, in this order, one at least."""

    seat: Seat
    slots: tuple[Slot, ...]


Order = Shuffle | Deal | OpenHand
