"""Counting cards: facts and chances that a player in one seat can work out.

The functions tell the cards not seen yet, the cards that each seat discarded, and the chance that a
hand holds some cards of a kind. All use only what a person in that seat knows: the faces of their
own hand, and the cards that everybody has seen.
"""

from functools import lru_cache
from math import comb

from engine.cards import Card
from engine.position import Position
from engine.slots import Seat, Slot


def unseen(view: Position, seat: Seat) -> tuple[Card, ...]:
    """Return the cards whose faces `seat` does not see now.

    Among them are cards that it saw before they were shuffled into a new stock.
    """
    return view.seen(view.hand(seat)).unseen()


def known_cards(view: Position, seat: Seat) -> tuple[Card, ...]:
    """Return the cards in the hand of `seat` that everybody has seen."""
    return tuple(view.known[slot].card for slot in view.hands[seat] if slot in view.known)


def hidden_slots(view: Position, seat: Seat) -> tuple[Slot, ...]:
    """Return the slots in the hand of `seat` whose cards only this seat has seen."""
    return tuple(slot for slot in view.hands[seat] if slot not in view.known)


@lru_cache(10_000)
def chance(copies: int, unseen_cards: int, hidden: int, wanted: int) -> float:
    """Return the chance that a hidden hand holds at least `wanted` cards of a kind.

    The hand has `hidden` of the unseen cards, among which there are `copies` of the kind (the
    hypergeometric distribution). For example, with 4 kings among 50 unseen cards, a hand of 11
    holds at least one king with a chance of 64 %.
    """
    if wanted > min(copies, hidden):
        return 0.0
    ways = comb(unseen_cards, hidden)
    fewer = sum(
        comb(copies, held) * comb(unseen_cards - copies, hidden - held) for held in range(wanted)
    )
    return 1.0 - fewer / ways


def thrown_after(view: Position, seat: Seat) -> tuple[Card, ...]:
    """Return cards of the pile that `seat` could have taken but left lying, newest first.

    Such cards were discarded just before a turn of `seat`. The pile grows by one card a turn, so
    at a table of four every fourth card of the pile is such a card.
    """
    ago = (view.turn.seat - seat) % view.seats
    # The player before the mover (`ago` 1) threw the top, and left lying the card below it. The
    # mover (`ago` 0) has not decided about the top yet: at a table of four, the newest card that
    # the mover left lying is four cards below the top.
    older = view.pile[: max(0, len(view.pile) - (ago or view.seats))]
    return tuple(shown.card for shown in older[:: -view.seats])


def thrown_by(view: Position, seat: Seat) -> tuple[Card, ...]:
    """Return cards of the pile that `seat` discarded, newest first."""
    ago = (view.turn.seat - seat - 1) % view.seats
    return tuple(shown.card for shown in view.pile[: max(0, len(view.pile) - ago)][:: -view.seats])
