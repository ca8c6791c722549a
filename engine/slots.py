"""Where cards lie.

A *slot* is a card's place in the shuffled deck of the round: it names a card without telling which
one it is. The rules move slots about; what lies under a slot is learned only when the card is
shown. `Shown` is the pair once it is public.
"""

from collections.abc import Iterable, Sequence
from typing import NewType

from attrs import frozen

from engine.cards import Card, Rank

Slot = NewType("Slot", int)
Seat = NewType("Seat", int)
Side = NewType("Side", int)


@frozen
class Shown:
    """A card whose face everybody knows, with the slot it came from."""

    slot: Slot
    card: Card

    def __hash__(self) -> int:
        return self.slot

    def __str__(self) -> str:
        return self.card.code


def slots_of(cards: Iterable[Shown]) -> tuple[Slot, ...]:
    return tuple([shown.slot for shown in cards])


def cards_of(cards: Iterable[Shown]) -> tuple[Card, ...]:
    return tuple([shown.card for shown in cards])


def by_rank(cards: Iterable[Shown]) -> dict[Rank, list[Shown]]:
    """The cards of each rank, in the order in which they come."""
    ranks: dict[Rank, list[Shown]] = {}
    for shown in cards:
        rank = shown.card.rank
        if rank in ranks:
            ranks[rank].append(shown)
        else:
            ranks[rank] = [shown]
    return ranks


def one_of_each(cards: Sequence[Shown]) -> dict[str, Shown]:
    """One card of each face by its code: of twins, the one that comes first."""
    return {shown.card.code: shown for shown in reversed(cards)}


def slot_range(first: int, count: int) -> tuple[Slot, ...]:
    return tuple(Slot(number) for number in range(first, first + count))
