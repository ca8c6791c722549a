"""The plain dealer: fulfils orders at once, without cryptography.

It serves tests of the rules, simulations, and opponents that think ahead.
"""

from collections.abc import Callable
from typing import TypeVar

from attrs import define, field

from engine.cards import Card
from engine.match import Match
from engine.orders import Deal, OpenHand, Shuffle
from engine.position import Position
from engine.slots import Seat, Shown, Slot, slot_range

_Ordering = TypeVar("_Ordering", Match, Position)


@define
class PlainDealer:
    """A dealer who knows every card."""

    shuffle: Callable[[list[Card]], None]
    """Function that shuffles a list in place, as `random.Random(1).shuffle` does."""
    cards: dict[Slot, Shown] = field(factory=dict)
    """The card in each slot dealt so far."""

    def fulfil(self, game: _Ordering) -> _Ordering:
        """Return the match, or the position, with all its orders delivered."""
        while game.orders:
            match order := game.orders[0]:  # the most frequent kind of order first
                case Deal():
                    game = game.deliver(self._show(order.turned_up))
                case Shuffle(cards, first):
                    shuffled = list(cards)
                    self.shuffle(shuffled)
                    slots = slot_range(first, len(shuffled))
                    self.cards |= zip(slots, map(Shown, slots, shuffled), strict=True)
                    game = game.deliver()
                case OpenHand(_, slots):
                    game = game.deliver(self._show(slots))
        return game

    def view(self, position: Position, seat: Seat) -> Position:
        """Return the position as `seat` sees it."""
        cards = self.cards
        # Slots in `known` become private, too. That is harmless: both mappings have the same face.
        return position.changed(private={slot: cards[slot] for slot in position.hands[seat]})

    def _show(self, slots: tuple[Slot, ...]) -> tuple[Shown, ...]:
        return tuple([self.cards[slot] for slot in slots])
