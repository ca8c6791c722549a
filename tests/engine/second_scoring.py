"""Points of cards, and the cost of hands that stay closed, computed without the engine."""

from collections.abc import Callable, Collection

from engine.melds import Meld
from engine.position import Position
from engine.slots import Slot

POINTS = {"Jo": 50, "2": 20, "A": 20} | dict.fromkeys("KQJT98", 10) | dict.fromkeys("76543", 5)
RED_THREES = ("3h", "3d")


def card_points(code: str) -> int:
    """Return the points of a card in a game with jokers and wild twos."""
    return POINTS["Jo" if code == "Jo" else code[0]]


def dear_cost(code: str) -> int:
    """Return the points that a card costs in a game in which a red three in the hand costs 100."""
    return 100 if code in RED_THREES else card_points(code)


def codes_in(meld: Meld) -> list[str]:
    return [shown.card.code for shown in meld.cards]


def closed_cost(position: Position, seats: Collection[int], cost: Callable[[str], int]) -> int:
    """Return the maximum cost of the hands of these seats, judged by the public cards.

    `cost` returns the cost of a card by its code.
    """
    seen = {shown.card.number for shown in position.face_up()}
    seen |= {position.known[slot].card.number for slot in _known(position, range(position.seats))}
    left = sorted(cost(card.code) for card in position.deck if card.number not in seen)
    total = sum(cost(position.known[slot].card.code) for slot in _known(position, seats))
    for seat in seats:  # each hand is counted as if it alone had the dearest unseen cards
        hidden = len(position.hands[seat]) - len(_known(position, [seat]))
        total += sum(left[len(left) - hidden :])
    return total


def _known(position: Position, seats: Collection[int]) -> list[Slot]:
    return [slot for seat in seats for slot in position.hands[seat] if slot in position.known]
