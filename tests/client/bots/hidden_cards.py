"""Views of a seat in which hidden cards lie open."""

import random

from attrs import evolve

from engine.plain_dealer import PlainDealer
from engine.position import Position
from engine.slots import Seat, Shown, Slot
from tests.engine.positions import Table


def peeking(view: Position, seat: Seat, dealer: PlainDealer, chance: random.Random) -> Position:
    """Return the view with all hidden cards dealt anew and open."""
    hidden = [slot for other in range(view.seats) if other != seat for slot in view.hands[other]]
    slots: list[Slot] = [slot for slot in (*hidden, *view.stock) if slot not in view.known]
    cards = [dealer.cards[slot].card for slot in slots]
    chance.shuffle(cards)
    return view.seen((*view.private.values(), *map(Shown, slots, cards)))


def seen_by_0(table: Table) -> Position:
    return table.position.seen(table.position.hand(Seat(0)))


def having_shown(table: Table, seat: int, codes: str) -> Table:
    """Return the table after `seat` has shown everybody these cards of its hand."""
    known = {shown.slot: shown for shown in table.hand(codes, seat)}
    assert Seat(seat) != table.position.to_move
    return evolve(table, position=evolve(table.position, known=known))
