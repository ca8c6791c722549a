"""Orders of a position: to shuffle cards, to deal cards, and to open a hand.

The engine never shuffles and never looks under a card: it orders, and somebody delivers, either the
plain dealer of `engine.plain_dealer` or the players together with locks and proofs (`protocol`).
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
    """Give the card in `slot` to the hand of `seat`, or lay it face up if `seat` is None."""

    slot: Slot
    seat: Seat | None


@frozen
class Deal:
    """Hand out cards of the stock, all in one go."""

    gives: tuple[Give, ...]

    @property
    def turned_up(self) -> tuple[Slot, ...]:
        """The slots of the cards that are laid face up."""
        return tuple([give.slot for give in self.gives if give.seat is None])


@frozen
class OpenHand:
    """Turn up all cards left in the hand of `seat`: `slots`, in this order, at least one."""

    seat: Seat
    slots: tuple[Slot, ...]


Order = Shuffle | Deal | OpenHand
