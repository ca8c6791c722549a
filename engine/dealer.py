"""The plain dealer: fulfils orders at once, without cryptography.

For tests of the rules, simulations, and opponents that think ahead.
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
    """Knows every card. `shuffle` shuffles a list in place (`random.Random(1).shuffle`)."""

    shuffle: Callable[[list[Card]], None]
    cards: dict[Slot, Shown] = field(factory=dict)

    def fulfil(self, game: _Ordering) -> _Ordering:
        """The match, or the position, with all its orders delivered."""
        while game.orders:
            match order := game.orders[0]:  # the commonest first
                case Deal():
                    game = game.deliver(self._show(order.to(None)))
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
        """The position as `seat` sees it."""
        cards = self.cards
        return position.changed(private={slot: cards[slot] for slot in position.hands[seat]})

    def _show(self, slots: tuple[Slot, ...]) -> tuple[Shown, ...]:
        return tuple([self.cards[slot] for slot in slots])
