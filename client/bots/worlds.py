"""Worlds: ways in which the hidden cards may lie, and how a round may go on from there.

A *world* takes the cards that a seat has not seen, and deals them at random to all places that the
seat cannot look into, without any knowledge of how these cards really lie.
"""

import random
from collections.abc import Callable
from itertools import chain

from client.bots.card_counting import hidden_slots, unseen
from engine.moves import Move
from engine.plain_dealer import PlainDealer
from engine.position import Position
from engine.slots import Seat, Shown


def world(view: Position, seat: Seat, rng: random.Random) -> PlainDealer:
    """Return a dealer for one random deal of the cards that `seat` cannot see."""
    cards = list(unseen(view, seat))
    rng.shuffle(cards)
    others = [other for other in view.clockwise(seat) if other != seat]
    hidden = [hidden_slots(view, other) for other in others]
    slots = list(chain(view.stock, *view.set_aside, *hidden))
    if not view.may_hold_bonus:
        # Every seat has laid the bonus cards that it was dealt, so unseen ones lie in the stock or
        # in hands set aside. The unseen bonus cards are dealt first, to random slots there.
        cards.sort(key=view.is_bonus, reverse=True)
        down = len(slots) - sum(map(len, hidden))
        bonus = sum(map(view.is_bonus, cards))
        places = rng.sample(slots[:down], min(bonus, down))
        slots = [*places, *(slot for slot in slots if slot not in places)]
    # A stated position may have more unseen cards than slots (`stock 20 ?`): `map` stops with the
    # slots. With fewer cards it would leave slots empty, which `strict` refuses.
    hands = {**dict(zip(slots, map(Shown, slots, cards), strict=True)), **view.known}
    seen = {shown.slot: shown for shown in (*view.face_up(), *view.hand(seat))}
    return PlainDealer(rng.shuffle, hands | seen)


def copied(dealer: PlainDealer) -> PlainDealer:
    """Return a copy of the world, in which another way to go on can be tried."""
    return PlainDealer(dealer.shuffle, dict(dealer.cards))


def played_out(
    position: Position, dealer: PlainDealer, choose: Callable[[Position], Move], most: int
) -> tuple[Position, int]:
    """Play at most `most` moves; return the round, counted if it is over, and the number of moves.

    All seats choose in the same way, each from what it sees in that world; `choose` returns legal
    moves.
    """
    position = dealer.fulfil(position)
    moves = 0
    while moves < most and (seat := position.to_move) is not None:
        position = dealer.fulfil(position.play(choose(dealer.view(position, seat))))
        moves += 1
    return position, moves
