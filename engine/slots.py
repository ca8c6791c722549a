"""Slots, seats and sides: the places where cards lie.

A *slot* is a card's place in the shuffled deck of the round: it names a card without telling which
card it is. The rules move slots from place to place; the face under a slot becomes known only when
the card is shown. `Shown` pairs the slot with the face.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NewType

from attrs import frozen

from engine.cards import Card, Rank

Slot = NewType("Slot", int)
Seat = NewType("Seat", int)
Side = NewType("Side", int)


@frozen
class Shown:
    """A card whose face is known, with the slot it came from."""

    slot: Slot
    card: Card

    def __hash__(self) -> int:
        return self.slot

    def __str__(self) -> str:
        return self.card.code


def slots_of(cards: Iterable[Shown]) -> tuple[Slot, ...]:
    """Return the slots of the cards."""
    return tuple([shown.slot for shown in cards])


def cards_of(cards: Iterable[Shown]) -> tuple[Card, ...]:
    """Return the faces of the cards."""
    return tuple([shown.card for shown in cards])


def without(cards: Mapping[Slot, Shown], gone: set[Slot]) -> Mapping[Slot, Shown]:
    """Return the cards by slot, without those in the slots `gone`."""
    if cards.keys().isdisjoint(gone):
        return cards
    return {slot: shown for slot, shown in cards.items() if slot not in gone}


def by_rank(cards: Iterable[Shown]) -> dict[Rank, list[Shown]]:
    """Return the cards of each rank, in the order in which they come."""
    ranks: dict[Rank, list[Shown]] = {}
    for shown in cards:
        rank = shown.card.rank
        if rank in ranks:
            ranks[rank].append(shown)
        else:
            ranks[rank] = [shown]
    return ranks


def one_of_each(cards: Sequence[Shown]) -> dict[str, Shown]:
    """Return the first card of each face, by the code of the face."""
    # The last of equal keys wins. So the cards are taken from the end, and the first one wins.
    return {shown.card.code: shown for shown in reversed(cards)}


def slot_range(first: int, count: int) -> tuple[Slot, ...]:
    """Return `count` slots from `first` on.

    >>> slot_range(108, 3)
    (108, 109, 110)
    """
    return tuple(Slot(number) for number in range(first, first + count))
