"""What the table shows to whoever sits in one seat: which cards are not seen yet, who threw what,
and how likely it is that a hand holds so many cards of a kind.

A person could know all of it: the faces of their own hand, and what everybody has seen.
"""

from functools import lru_cache
from math import comb

from engine.cards import Card
from engine.position import Position
from engine.slots import Seat, Slot


def unseen(view: Position, seat: Seat) -> tuple[Card, ...]:
    """The cards that `seat` has not seen, or that were shuffled into a new stock since."""
    return view.seen(view.hand(seat)).unseen()


def known_cards(view: Position, seat: Seat) -> tuple[Card, ...]:
    """Those cards in the hand of `seat` that everybody has seen."""
    return tuple(view.known[slot].card for slot in view.hands[seat] if slot in view.known)


def hidden_slots(view: Position, seat: Seat) -> tuple[Slot, ...]:
    """Those slots in the hand of `seat` that only their owner has looked at."""
    return tuple(slot for slot in view.hands[seat] if slot not in view.known)


@lru_cache(10_000)
def chance(copies: int, unseen_cards: int, hidden: int, wanted: int) -> float:
    """How likely `hidden` cards drawn from the unseen ones hold at least `wanted` of the `copies`
    that are among them (the hypergeometric distribution).
    """
    if wanted <= 0:
        return 1.0
    if wanted > min(copies, hidden):
        return 0.0
    ways = comb(unseen_cards, hidden)
    fewer = sum(
        comb(copies, held) * comb(unseen_cards - copies, hidden - held)
        for held in range(wanted)
        if hidden - held <= unseen_cards - copies
    )
    return 1.0 - fewer / ways


def thrown_after(view: Position, seat: Seat) -> tuple[Card, ...]:
    """Cards of the pile that were thrown when it was about to be the turn of `seat`, newest first:
    they have left them lying. The pile grows by one card a turn, and the last one was thrown by the
    seat before the one whose turn it is.
    """
    ago = (view.turn.seat - seat) % view.seats
    older = view.pile[: max(0, len(view.pile) - (ago or view.seats))]
    return tuple(shown.card for shown in older[:: -view.seats])


def thrown_by(view: Position, seat: Seat) -> tuple[Card, ...]:
    """Cards of the pile that `seat` threw, newest first."""
    ago = (view.turn.seat - seat - 1) % view.seats
    return tuple(shown.card for shown in view.pile[: max(0, len(view.pile) - ago)][:: -view.seats])
