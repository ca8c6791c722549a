"""A second calculation of the cost of hands that stay closed."""

from collections.abc import Callable, Collection

from engine.position import Position
from engine.slots import Slot


def closed_cost(position: Position, seats: Collection[int], cost: Callable[[str], int]) -> int:
    """Return the most that the hands of these seats can cost, by what everybody has seen.

    `cost` returns the cost of a card by its code.
    """
    seen = {shown.card.number for shown in position.face_up()}
    seen |= {position.known[slot].card.number for slot in _known(position, range(position.seats))}
    left = sorted(cost(card.code) for card in position.deck if card.number not in seen)
    total = sum(cost(position.known[slot].card.code) for slot in _known(position, seats))
    for seat in seats:
        hidden = len(position.hands[seat]) - len(_known(position, [seat]))
        total += sum(left[len(left) - hidden :])
    return total


def _known(position: Position, seats: Collection[int]) -> list[Slot]:
    return [slot for seat in seats for slot in position.hands[seat] if slot in position.known]
